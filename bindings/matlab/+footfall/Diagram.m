classdef Diagram < handle
  % DIAGRAM  The block diagram of a scene, or of a file that holds nothing else.
  %
  %   d = footfall.Diagram('icub_balancing.yaml');
  %   d.startLog('run.mcap');
  %   d.run(3);
  %   d.signal('robot.state')           % a bus: a struct
  %   [time, values] = d.scope('scope');
  %   d.stopLog();
  %
  % Signals belong to `signal_time`, states to `time`.

  properties (SetAccess = private)
    time = 0           % of the states [s]
    signal_time = 0    % of the signals [s]
    stop_reason = ''   % why a block has stopped the run; empty while all is well
    blocks = {}        % their names, through the sub-diagrams
    inputs = {}        % of the diagram itself: see setInput()
    outputs = {}
    signals = {}       % that travel along its lines
    dt = 0             % base step [s]
    duration = 0       % that the file asks for [s]
  end

  properties (Access = private)
    h = 0              % number of the diagram inside of the MEX file
  end

  methods
    function self = Diagram(file, varargin)
      % Changes of the scene in pairs: 'physics.step', '0.5 ms'.
      self.h = footfall_mex('diagram.new', file, varargin);
      info = footfall_mex('diagram.info', self.h);
      self.blocks = info.blocks;
      self.inputs = info.inputs;
      self.outputs = info.outputs;
      self.signals = info.signals;
      self.dt = info.step;
      self.duration = info.duration;
    end

    function delete(self)
      self.close();
    end

    function close(self)
      if self.h ~= 0
        footfall_mex('diagram.close', self.h);
        self.h = 0;
      end
    end

    function goes_on = step(self)
      % One base step. False when a block has stopped the run: see stop_reason.
      self.take(footfall_mex('diagram.step', self.h));
      goes_on = isempty(self.stop_reason);
    end

    function run(self, end_time)
      % Steps until this simulated time [s] (default: the one that the file asks for), or until a block stops the run,
      % which is a warning.
      if nargin < 2
        end_time = max(self.duration, self.time);
      end
      self.take(footfall_mex('diagram.run', self.h, end_time));
      while isempty(self.stop_reason) && self.time < end_time - 0.5 * self.dt  % it comes back now and then: for Ctrl-C
        self.take(footfall_mex('diagram.run', self.h, end_time));
      end
      if ~isempty(self.stop_reason)
        warning('footfall:stopped', 'stopped at t = %g s: %s', self.time, self.stop_reason);
      end
    end

    function value = signal(self, path)
      % 'block.port', 'block.port.field' or an output of the diagram.
      value = footfall_mex('diagram.signal', self.h, path);
    end

    function setInput(self, name, value)
      % An input of the diagram; kept until changed.
      footfall_mex('diagram.setInput', self.h, name, value);
    end

    function [time, values] = scope(self, path)
      % What a Scope has seen: times [s], and a row of numbers for each, of all its inputs.
      seen = footfall_mex('diagram.scope', self.h, path);
      time = seen.time;
      values = seen.values;
    end

    function s = state(self)
      % Of the robot in the diagram: w_H_b, joints_position, basePose_dot, joints_velocity.
      s = footfall_mex('diagram.state', self.h);
    end

    function setState(self, state)
      % Puts the robot elsewhere, as footfall.Simulation does; other blocks keep their states. A `time` moves the clock
      % of the diagram.
      self.take(footfall_mex('diagram.setState', self.h, state));
    end

    function saved = save(self)
      % All that it remembers: restore() goes on from it bit for bit.
      saved = footfall_mex('diagram.save', self.h);
    end

    function restore(self, saved)
      self.take(footfall_mex('diagram.restore', self.h, saved));
    end

    function startLog(self, file)
      % Writes down every step from now on: .mcap, .csv or .mat. footfall.Log reads the first two.
      footfall_mex('diagram.startLog', self.h, file);
    end

    function stopLog(self)
      % Closes the file; close() does it, too.
      footfall_mex('diagram.stopLog', self.h);
    end
  end

  methods (Access = private)
    function take(self, progress)
      self.time = progress.time;
      self.signal_time = progress.signal_time;
      self.stop_reason = progress.stop_reason;
    end
  end
end
