classdef Log < handle
  % LOG  A .mcap or .csv file that a run has written.
  %
  %   log = footfall.Log('run.mcap');
  %   plot(log.time, log.read('l_sole.force.z'));
  %   log.read('com.position')          % a channel: a column for each component
  %   log.read('*.force.z')             % all that match

  properties (SetAccess = private)
    time = []        % of each row [s]
    columns = {}     % names: 'l_sole.force.x'
    units = {}       % of the columns
    channels = {}    % names of the quantities: 'l_sole.force'
    notes = {}       % what the log says about itself: name and text in each row
    damage = ''      % empty, or what is missing at the end of the file
  end

  properties (Access = private)
    h = 0            % number of the log inside of the MEX file
  end

  methods
    function self = Log(file)
      self.h = footfall_mex('log.open', file);
      info = footfall_mex('log.info', self.h);
      self.time = info.time;
      self.columns = info.columns;
      self.units = info.units;
      self.channels = info.channels;
      self.notes = [info.note_names, info.notes];
      self.damage = info.damage;
    end

    function delete(self)
      self.close();
    end

    function close(self)
      if self.h ~= 0
        footfall_mex('log.close', self.h);
        self.h = 0;
      end
    end

    function values = read(self, name)
      % A channel, a column or a pattern: a row for each row of the log, NaN where nothing was written.
      values = footfall_mex('log.read', self.h, name);
    end
  end
end
