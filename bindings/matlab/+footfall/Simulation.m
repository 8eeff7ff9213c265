classdef Simulation < handle
  % SIMULATION  A robot on the ground, as a scene file describes it.
  %
  %   robot = footfall.Simulation('stand.yaml');
  %   robot = footfall.Simulation('stand.yaml', 'ground.friction', '0.3', 'physics.step', '0.5 ms');
  %   while robot.time < 1
  %     robot.step();               % or robot.step(torques), kept until changed
  %   end
  %   state = robot.state();        % w_H_b, joints_position, basePose_dot, joints_velocity
  %   kinDyn = robot.kinDyn();      % M, h, Jacobians, contact wrenches … of the last step
  %
  % A scene with a `diagram:` is run by footfall.Diagram. Units are SI; the state is that of the end of the last step.

  properties (SetAccess = private)
    time = 0           % simulated time [s]
    joints = {}        % names, in the order of all joint vectors
    contact_frames = {}
    dt = 0             % length of a step [s]
  end

  properties (Access = private)
    h = 0              % number of the simulation inside of the MEX file
  end

  methods
    function self = Simulation(scene, varargin)
      self.h = footfall_mex('new', scene, varargin);
      info = footfall_mex('info', self.h);
      self.joints = info.joints;
      self.contact_frames = info.contact_frames;
      self.dt = info.step;
    end

    function delete(self)
      self.close();
    end

    function close(self)
      if self.h ~= 0
        footfall_mex('close', self.h);
        self.h = 0;
      end
    end

    function step(self, torque)
      % One step. torque: joint torques [N m or N] that are added to what the scene asks for.
      if nargin > 1
        self.time = footfall_mex('step', self.h, torque);
      else
        self.time = footfall_mex('step', self.h);
      end
    end

    function run(self, end_time)
      % Steps until this simulated time [s].
      self.time = footfall_mex('run', self.h, end_time);
      while self.time < end_time - 0.5 * self.dt  % it comes back now and then: for Ctrl-C
        self.time = footfall_mex('run', self.h, end_time);
      end
    end

    function push(self, frame, wrench)
      % Force [N] and moment [N m] on a frame's origin, in world axes, until changed: robot.push('chest', [60 0 0 0 0 0]).
      footfall_mex('push', self.h, frame, wrench);
    end

    function prescribe(self, joint, position, velocity)
      % Where a joint that is prescribed without a law is at the end of the next step [rad or m], and how fast it moves there.
      footfall_mex('prescribe', self.h, joint, position, velocity);
    end

    function impact = tie(self, first, second, varargin)
      % Ties two frames together as they are now, one of which may be 'world': robot.tie('l_hand', 'ball'). More arguments:
      % joint ('weld', 'ball', 'hinge', 'slider'), name ('': made from the frames), axis [0 0 1], within (0.01 m apart at most).
      % What moves against each other moves together at once: fields name, impulse, lost_energy.
      impact = footfall_mex('tie', self.h, first, second, varargin{:});
    end

    function release(self, name)
      % Takes a tie away again.
      footfall_mex('release', self.h, name);
    end

    function s = state(self)
      % Of the robot, and in s.bodies.NAME of each body beside it; s.ties: names of the ties that there are.
      s = footfall_mex('state', self.h);
    end

    function k = kinDyn(self)
      k = footfall_mex('kinDyn', self.h);
    end

    function w = wrenches(self)
      % Wrench of the ground on each sole, in the sole's own frame [N, N m].
      w = footfall_mex('wrenches', self.h);
    end

    function s = sensors(self)
      s = footfall_mex('sensors', self.h);
    end

    function setState(self, state)
      % Puts the robot elsewhere: a struct with some of the fields that state() gives. What is not named stays as it is;
      % the contact solver starts anew, sensors keep what they remember.
      footfall_mex('setState', self.h, state);
      self.time = self.state().time;
    end

    function saved = save(self)
      % The whole state: restore() goes on from it bit for bit.
      saved = footfall_mex('save', self.h);
    end

    function restore(self, saved)
      footfall_mex('restore', self.h, saved);
      self.time = self.state().time;
    end

    function saveState(self, file)
      % The whole state as a file, which `footfall run --state FILE` and loadState() go on from.
      footfall_mex('saveState', self.h, file);
    end

    function loadState(self, file)
      footfall_mex('loadState', self.h, file);
      self.time = self.state().time;
    end

    function startLog(self, file)
      % Writes down every step from now on: .mcap, .csv or .mat. footfall.Log reads the first two.
      footfall_mex('startLog', self.h, file);
    end

    function stopLog(self)
      % Closes the file; close() does it, too.
      footfall_mex('stopLog', self.h);
    end
  end
end
