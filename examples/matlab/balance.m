% iCub balances by the diagram of its scene: run it with a log, read the log, draw. In the folder of this file:
%   addpath('<prefix>/lib/footfall/matlab'); balance

scenes = fullfile(fileparts(mfilename('fullpath')), '..', '..', 'scenes');
d = footfall.Diagram(fullfile(scenes, 'icub_balancing.yaml'));
file = [tempname() '.mcap'];
d.startLog(file);
d.run(1);
d.stopLog();

log = footfall.Log(file);
com = log.read('com.position');
fprintf('the centre of mass moved by %.2f mm in %g s\n', 1e3 * norm(com(end, :) - com(1, :)), log.time(end));
fprintf('%d signals on the lines of the diagram, the first one is %s\n', numel(d.signals), d.signals{1});
plot(log.time, 1e3 * (com - com(1, :)));
ylabel('centre of mass [mm]');
xlabel('time [s]');
legend('x', 'y', 'z');
log.close();
delete(file);
