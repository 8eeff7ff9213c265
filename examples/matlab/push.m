% iCub stands, is pushed, and stays on its feet: set up, step, plot. In the folder of this file:
%   addpath('<prefix>/lib/footfall/matlab'); push

robot = footfall.Simulation(fullfile(fileparts(mfilename('fullpath')), '..', '..', 'scenes', 'icub.yaml'));

steps = round(2 / robot.dt);
time = zeros(1, steps);
com_height = zeros(1, steps);
force = zeros(2, steps);
for k = 1:steps
  pushing = robot.time >= 0.5 && robot.time < 0.7;
  robot.push('chest', [40 * pushing, 0, 0, 0, 0, 0]);
  robot.step();
  state = robot.state();
  wrench = robot.wrenches();
  time(k) = state.time;
  com_height(k) = state.w_H_b(3, 4);
  force(:, k) = [wrench.l_sole(3); wrench.r_sole(3)];
end

subplot(2, 1, 1);
plot(time, com_height);
ylabel('height of the base [m]');
subplot(2, 1, 2);
plot(time, force);
ylabel('normal force [N]');
xlabel('time [s]');
legend('left sole', 'right sole');
