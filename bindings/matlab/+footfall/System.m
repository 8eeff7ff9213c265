classdef System < matlab.System
  % SYSTEM  A Footfall scene for Simulink's MATLAB System block: joint torques in; state, joint positions and velocities,
  % and the wrenches of all contact frames out. Everything else is in footfall.Simulation.

  properties (Nontunable)
    Scene = 'scene.yaml'  % scene file
  end

  properties (Access = private)
    robot
  end

  methods (Access = protected)
    function setupImpl(self)
      self.robot = footfall.Simulation(self.Scene);
    end

    function [w_H_b, s, nu, wrench] = stepImpl(self, torque)
      self.robot.step(torque);
      state = self.robot.state();
      w_H_b = state.w_H_b;
      s = state.joints_position;
      nu = [state.basePose_dot; state.joints_velocity];
      wrench = cell2mat(struct2cell(self.robot.wrenches()));
    end

    function resetImpl(self)
      self.releaseImpl();
      self.setupImpl();
    end

    function releaseImpl(self)
      if ~isempty(self.robot)
        self.robot.close();
      end
    end

    function sample = getSampleTimeImpl(self)
      robot = footfall.Simulation(self.Scene);
      sample = self.createSampleTime('Type', 'Discrete', 'SampleTime', robot.dt);
      robot.close();
    end

    function n = getNumInputsImpl(~)
      n = 1;
    end

    function n = getNumOutputsImpl(~)
      n = 4;
    end

    function [a, b, c, d] = getOutputSizeImpl(self)
      [joints, feet] = self.sizes();
      a = [4 4];
      b = [joints 1];
      c = [joints + 6 1];
      d = [6 * feet 1];
    end

    function [a, b, c, d] = getOutputDataTypeImpl(~)
      a = 'double'; b = 'double'; c = 'double'; d = 'double';
    end

    function [a, b, c, d] = isOutputComplexImpl(~)
      a = false; b = false; c = false; d = false;
    end

    function [a, b, c, d] = isOutputFixedSizeImpl(~)
      a = true; b = true; c = true; d = true;
    end
  end

  methods (Access = private)
    function [joints, feet] = sizes(self)
      robot = footfall.Simulation(self.Scene);
      joints = numel(robot.joints);
      feet = numel(robot.contact_frames);
      robot.close();
    end
  end
end
