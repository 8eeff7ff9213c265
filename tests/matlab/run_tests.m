% Runs every test of this folder in Octave; the exit status says whether all passed.
1;

function robot = biped(varargin)
  robot = footfall.Simulation([getenv('FOOTFALL_SOURCE_DIR') '/scenes/biped_rod_ankles.yaml'], varargin{:});
end

function check(condition, what)
  if ~condition
    error('footfall:test', 'failed: %s', what);
  end
end

function message = messageOf(action)
  message = '';
  try
    action();
  catch problem
    message = problem.message;
  end
end

function says(action, part)
  message = messageOf(action);
  check(~isempty(strfind(message, part)), sprintf('"%s" should say "%s"', message, part));
end

function testSameBitsAsTheCommand()
  log = [tempname() '.csv'];
  scene = [getenv('FOOTFALL_SOURCE_DIR') '/scenes/biped_rod_ankles.yaml'];
  status = system(sprintf('"%s" run "%s" --duration 0.4 --log "%s" --quiet', getenv('FOOTFALL_COMMAND'), scene, log));
  check(status == 0, 'the command runs the scene');
  fields = lastRow(log);
  delete(log);
  robot = biped();
  robot.run(0.4);
  state = robot.state();
  check(state.time == str2double(fields{1}), 'same time');
  check(isequal(state.w_H_b(1:3, 4)', cellfun(@str2double, fields(2:4))), 'same base position, bit for bit');
end

function testARestoredStateGoesOnBitForBit()
  robot = biped();
  robot.run(0.1);
  saved = robot.save();
  robot.run(0.2);
  after = robot.state();
  robot.restore(saved);
  check(abs(robot.time - 0.1) < 1e-12, 'the time is restored');
  robot.run(0.2);
  check(isequal(robot.state(), after), 'the same state');
  other = biped();
  other.restore(saved);
  other.run(0.2);
  check(isequal(other.state(), after), 'the same state in another simulation');
end

function fields = lastRow(file)
  lines = strsplit(strtrim(fileread(file)), "\n");
  fields = strsplit(lines{end}, ',');
end

function testChangesOfTheSceneMayBeNumbersAndTruths()
  scene = [getenv('FOOTFALL_SOURCE_DIR') '/scenes/quadruped.yaml'];
  sim = footfall.Simulation(scene, 'robot.base.velocity', [0.5 0 0], 'hold.enabled', false, 'ground.friction', 0.4);
  state = sim.state();
  check(state.basePose_dot(1) == 0.5, 'it starts with the velocity');
  says(@() footfall.Simulation(scene, 'robot.base.velocity', ones(2, 2)), 'expected a row or a column');
  says(@() footfall.Simulation(scene, 'hold.enabled', [true false]), 'one true or false');
end

function testADiagramGivesTheBitsOfTheCommand()
  scene = [getenv('FOOTFALL_SOURCE_DIR') '/scenes/icub_balancing.yaml'];
  log = [tempname() '.csv'];
  status = system(sprintf('"%s" run "%s" --duration 0.1 --log "%s" --quiet', getenv('FOOTFALL_COMMAND'), scene, log));
  check(status == 0, 'the command runs the scene');
  fields = lastRow(log);
  delete(log);
  d = footfall.Diagram(scene);
  d.run(0.1);
  state = d.state();
  check(state.time == str2double(fields{1}), 'same time');
  check(isequal(state.w_H_b(1:3, 4)', cellfun(@str2double, fields(2:4))), 'same base position, bit for bit');
  says(@() footfall.Simulation(scene), 'footfall.Diagram(SCENE)');
end

function file = smallDiagram()
  % x' = u - x, with a scope; u is an input
  file = [tempname() '.yaml'];
  out = fopen(file, 'w');
  fprintf(out, ['run: {duration: 1 s}\n' ...
                'step: 10 ms\n' ...
                'inputs: {u: {type: scalar}}\n' ...
                'outputs: {x: lag}\n' ...
                'blocks:\n' ...
                '  lag: {block: TransferFunction, numerator: [1], denominator: [1, 1]}\n' ...
                '  scope: {block: Scope}\n' ...
                'connect: [u -> lag, lag -> scope]\n']);
  fclose(out);
end

function testADiagramTakesInputsAndShowsSignals()
  file = smallDiagram();
  d = footfall.Diagram(file);
  check(isequal(d.inputs, {'u'}) && any(strcmp(d.blocks, 'lag')), 'it names its inputs and blocks');
  check(d.duration == 1 && abs(d.dt - 0.01) < 1e-15, 'it knows its times');
  d.setInput('u', 2);
  check(d.step(), 'it goes on');
  d.run(0.5);
  [time, x] = d.scope('scope');
  check(numel(time) == 50 && abs(time(end) - 0.49) < 1e-12, 'the scope has seen every step');
  expected = 2 * (1 - exp(-time));
  check(max(abs(x - expected)) < 1e-9, 'the step response of a lag');  % rk4: h^5 / 120 each step, 50 steps
  check(d.signal('x') == x(end), 'the signal is what the scope saw last');
  says(@() d.signal('lagg.out'), 'lag');
  says(@() d.setInput('v', 1), 'u');
  says(@() d.setInput('u', [1 2]), 'expected 1');
  says(@() d.state(), 'no robot');
  saved = d.save();
  d.run(0.8);
  after = d.signal('x');
  d.restore(saved);
  check(abs(d.time - 0.5) < 1e-12, 'the time is restored');
  d.run(0.8);
  check(d.signal('x') == after, 'the same bits again');
  delete(file);
end

function testADiagramWritesALog()
  file = smallDiagram();
  path = [tempname() '.mcap'];
  d = footfall.Diagram(file);
  d.setInput('u', 1);
  d.startLog(path);
  says(@() d.restore(d.save()), 'stopLog()');
  d.run();
  d.run();  % to the end, where it is already
  says(@() d.run(0.5), 'past');
  d.stopLog();
  log = footfall.Log(path);
  check(numel(log.time) == 101 && log.time(end) == 1, 'a row for each step, and the end');
  check(log.read('x')(end) == d.signal('x'), 'the signal of the diagram');
  log.close();
  delete(file);
  delete(path);
end

function testALogHoldsWhatTheRobotDid()
  path = [tempname() '.mcap'];
  robot = biped();
  robot.startLog(path);
  robot.run(0.05);
  says(@() robot.setState(struct('time', 0)), 'stopLog()');
  robot.stopLog();
  robot.run(0.06);
  log = footfall.Log(path);
  check(isempty(log.damage), 'it was closed');
  check(abs(log.time(end) - 0.05) < 1e-12, 'it ends where it was stopped');
  check(any(strcmp(log.columns, 'base.position.x')), 'columns have names');
  check(strcmp(log.units{strcmp(log.columns, 'base.position.x')}, 'm'), 'and units');
  check(size(log.read('base.position'), 2) == 3, 'a channel has its components');
  check(any(strcmp(log.notes(:, 1), 'footfall')), 'it says what wrote it');
  says(@() log.read('base.positon'), 'base.position');
  says(@() footfall.Log('no_such_log.mcap'), 'no_such_log.mcap');
  says(@() robot.startLog('run.txt'), '.mcap');
  again = biped();
  again.run(0.05);
  state = again.state();
  check(isequal(log.read('base.position')(end, :), state.w_H_b(1:3, 4)'), 'the last row is the state, bit for bit');
  log.close();
  delete(path);
end

function testAStateCanBeSet()
  robot = biped();
  robot.run(0.02);
  state = robot.state();
  other = biped();
  other.setState(state);
  difference = other.state().w_H_b - state.w_H_b;  % through a quaternion and back: rounding
  check(norm(difference) < 1e-14, 'the same pose of the base');
  check(isequal(other.state().joints_position, state.joints_position), 'the same joints');
  check(isequal(other.state().basePose_dot, state.basePose_dot) && other.time == state.time, 'velocity and time');
  third = biped();
  third.run(0.1);
  third.setState(state);
  other.run(0.05);
  third.run(0.05);
  check(isequal(other.state(), third.state()), 'what came before does not matter');
  robot.setState(struct('joints_velocity', 0 * state.joints_velocity + 0.1));
  after = robot.state();
  check(all(after.joints_velocity == 0.1) && isequal(after.w_H_b, state.w_H_b), 'only what is named changes');
  says(@() robot.setState(struct('joint_velocity', 1)), 'joints_velocity');
  says(@() robot.setState(struct('joints_position', 1)), 'expected');
  says(@() robot.setState(struct('w_H_b', ones(4))), 'rotation');
  says(@() robot.setState(3), 'struct');
end

function testAStateFileIsThatOfTheCommand()
  file = [tempname() '.state'];
  robot = biped();
  robot.run(0.1);
  robot.saveState(file);
  robot.run(0.15);
  log = [tempname() '.csv'];
  scene = [getenv('FOOTFALL_SOURCE_DIR') '/scenes/biped_rod_ankles.yaml'];
  status = system(sprintf('"%s" run "%s" --state "%s" --duration 0.15 --log "%s" --quiet', ...
                          getenv('FOOTFALL_COMMAND'), scene, file, log));
  check(status == 0, 'the command goes on from there');
  fields = lastRow(log);
  state = robot.state();
  check(isequal(state.w_H_b(1:3, 4)', cellfun(@str2double, fields(2:4))), 'to the same bits');
  other = biped();
  other.loadState(file);
  check(abs(other.time - 0.1) < 1e-12, 'the time is that of the file');
  other.run(0.15);
  check(isequal(other.state(), state), 'and so does another simulation');
  says(@() other.loadState('no_such.state'), 'no_such.state');
  delete(file);
  delete(log);
end

function testKinDynHoldsTheEquationOfMotion()
  robot = biped('hold.enabled', 'false');
  n = numel(robot.joints);
  tau = linspace(-1, 1, n)';
  robot.step(tau);
  k = robot.kinDyn();
  check(isequal(size(k.M), [n + 6, n + 6]), 'M is (n+6)²');
  check(norm(k.M - k.M') < 1e-12 * norm(k.M), 'M is symmetric');
  check(size(k.J_feet_sole, 1) == 12, 'two soles');
  check(size(k.fc, 1) == 12, 'two wrenches');
end

function testTheSolesCarryTheWeight()
  robot = biped();
  robot.run(0.9);  % it has landed and stands
  w = robot.wrenches();
  k = robot.kinDyn();
  weight = k.M(1, 1) * 9.81;
  check(abs(w.l_sole(3) + w.r_sole(3) - weight) < 0.05 * weight, 'the normal forces are near the weight');
end

function testAPushActsUntilChanged()
  robot = biped();
  still = biped();
  robot.push('pelvis', [10 0 0 0 0 0]);
  robot.run(0.05);
  still.run(0.05);
  a = robot.state();
  b = still.state();
  check(a.basePose_dot(1) > b.basePose_dot(1), 'it moves forward');
end

function robot = worldOfBodies()
  file = [tempname() '.yaml'];
  handle = fopen(file, 'w');
  fprintf(handle, ['physics: {gravity: [0, 0, 0]}\n' ...
                   'robot: {model: box, base: {position: [0, 0, 1]}}\nhold: {enabled: false}\nbodies:\n' ...
                   '  - {name: ball, shape: sphere, radius: 0.1, mass: 1, position: [0.5, 0, 1], velocity: [-1, 0, 0]}\n' ...
                   '  - {name: second-ball, shape: sphere, radius: 0.1, mass: 3, position: [0.3, 0, 1]}\n']);
  fclose(handle);
  robot = footfall.Simulation(file);
  delete(file);
end

function testBodiesAreSeenAndSetByName()
  robot = worldOfBodies();
  state = robot.state();
  check(isequal(fieldnames(state.bodies), {'ball'; 'second_ball'}), 'all bodies by name');
  check(isequal(state.bodies.ball.w_H_b(1:3, 4), [0.5; 0; 1]), 'where a body is');
  check(isequal(state.bodies.ball.basePose_dot, [-1; 0; 0; 0; 0; 0]), 'how it moves');
  robot.setState(state);
  check(isequal(robot.state(), state), 'a state that is given back changes nothing');
  state.bodies.ball.w_H_b(1, 4) = 2;
  robot.setState(struct('bodies', struct('ball', state.bodies.ball)));
  check(robot.state().bodies.ball.w_H_b(1, 4) == 2, 'a body is put elsewhere');
  check(robot.state().bodies.second_ball.w_H_b(1, 4) == 0.3, 'and no other');
  says(@() robot.setState(struct('bodies', struct('bal', state.bodies.ball))), 'bal');
end

function testNamesThatAreTheSameAsFieldsAreToldApart()
  file = [tempname() '.yaml'];
  out = fopen(file, 'w');
  fprintf(out, ['bodies:\n  - {name: a-b, shape: sphere, radius: 0.1, mass: 1, position: [1, 0, 1]}\n' ...
                '  - {name: a_b, shape: sphere, radius: 0.1, mass: 1, position: [2, 0, 1]}\n']);
  fclose(out);
  robot = footfall.Simulation(file);
  delete(file);
  state = robot.state();
  check(isequal(fieldnames(state.bodies), {'a_b'; 'a_b_2'}), 'both are there');
  check(state.bodies.a_b.w_H_b(1, 4) == 1 && state.bodies.a_b_2.w_H_b(1, 4) == 2, 'in their order');
  robot.setState(state);
  check(isequal(robot.state(), state), 'each goes back to where it was');
  robot.step();
  check(numel(fieldnames(robot.wrenches())) == 2, 'and has its wrench');
end

function testTiesAreMadeAndReleased()
  robot = worldOfBodies();
  impact = robot.tie('ball', 'second-ball', 'weld', 'grasp');
  check(abs(impact.lost_energy - 0.375) < 1e-12, 'an inelastic impact');  % 1 kg with 1 m/s, and 3 kg at rest
  check(isequal(robot.state().ties, {'grasp'}), 'the tie is there');
  saved = robot.save();
  robot.run(0.1);
  after = robot.state();
  check(norm(after.bodies.ball.basePose_dot - after.bodies.second_ball.basePose_dot) < 1e-12, 'they move together');
  robot.release('grasp');
  check(isempty(robot.state().ties), 'it is gone');
  robot.restore(saved);
  robot.run(0.1);
  check(isequal(robot.state(), after), 'a saved state has its ties');
  says(@() robot.tie('ball', 'second-ball', 'weld', 'grasp'), 'already');
  says(@() robot.release('gras'), 'grasp');
end

function testCodeMovesPrescribedJoints()
  file = [tempname() '.yaml'];
  out = fopen(file, 'w');
  fprintf(out, ['robot: {model: ' getenv('FOOTFALL_SOURCE_DIR') '/models/rr_arm.urdf, base: {fixed: true}}\n' ...
                'prescribed: [{joint: shoulder}]\n']);
  fclose(out);
  arm = footfall.Simulation(file);
  delete(file);
  for k = 1:100
    arm.prescribe('shoulder', sin(k * arm.dt), cos(k * arm.dt));
    arm.step();
  end
  at = arm.state();
  check(abs(at.joints_position(1) - sin(0.1)) < 1e-15 && abs(at.joints_velocity(1) - cos(0.1)) < 1e-15, 'it is there');
  says(@() arm.prescribe('elbow', 0, 0), 'not prescribed');
  says(@() arm.prescribe('shoulder', NaN, 0), 'finite');
end

function file = logged(path)
  file = [tempname() '.yaml'];
  out = fopen(file, 'w');
  fprintf(out, ['blocks: {wave: {block: Sine, amplitude: 2, frequency: 0.5}, log: {block: Log, file: ' path '}}\n' ...
                'connect: [wave -> log]\n']);
  fclose(out);
end

function testFilesThatBlocksWriteAreThereAndCompleted()
  path = [tempname() '.csv'];
  file = logged(path);
  d = footfall.Diagram(file);
  d.run(0.1);
  log = footfall.Log(path);
  check(numel(log.time) == 100, 'all rows are there when run() returns');
  d.close();
  delete(file);
  delete(path);
  path = [tempname() '.mat'];  % written when it is closed, and then the disk is full
  system(['ln -s /dev/full ' path]);
  file = logged(path);
  d = footfall.Diagram(file);
  d.run(0.1);
  says(@() d.close(), 'No space left');
  d.close();  % has nothing left to fail at
  says(@() d.step(), 'closed');
  delete(file);
  unlink(path);
end

function testAStateOfAnotherRobotIsRefused()
  box = [getenv('FOOTFALL_SOURCE_DIR') '/scenes/falling_box.yaml'];
  ball = footfall.Simulation(box, 'robot.model', 'sphere', 'contacts', '[{frame: sphere}]');
  box = footfall.Simulation(box, 'contacts', '[{frame: box}]');
  says(@() box.restore(ball.save()), 'this state is of the robot ''sphere'', not of ''box''');  % as many numbers
  box.restore(box.save());
end

function testMatricesAreTakenInTheirOwnShapeOnly()
  file = [tempname() '.yaml'];
  out = fopen(file, 'w');
  fprintf(out, ['inputs: {m: {type: matrix, size: [2, 3]}}\n' ...
                'outputs: {y: double}\n' ...
                'blocks: {double: {block: Gain, factor: 2}}\n' ...
                'connect: [m -> double]\n']);
  fclose(out);
  d = footfall.Diagram(file);
  d.setInput('m', [1 2 3; 4 5 6]);
  d.step();
  check(isequal(d.signal('y'), [2 4 6; 8 10 12]), 'a matrix goes in and comes out as it is');
  says(@() d.setInput('m', [1 2; 3 4; 5 6]), '3 × 2, expected 2 × 3');
  says(@() d.setInput('m', 1:6), '1 × 6, expected 2 × 3');
  d.close();
  delete(file);
  robot = footfall.Simulation([getenv('FOOTFALL_SOURCE_DIR') '/scenes/quadruped.yaml']);
  says(@() robot.step(zeros(3, 4)), 'is a matrix 3 × 4, expected a row or a column');
  robot.step(zeros(1, 12));
  says(@() robot.setState(struct('w_H_b', reshape(eye(4), 2, 8))), '2 × 8, expected 4 × 4');
end

function testBadCallsAreErrorsOfTheLanguage()
  robot = biped();
  says(@() robot.step([1 2 3]), 'expected');
  says(@() robot.step(nan(numel(robot.joints), 1)), 'NaN');
  says(@() robot.step('torque'), 'double');
  says(@() robot.push('pelviss', zeros(6, 1)), 'pelvis');
  says(@() robot.restore(uint8([1 2 3])), 'save()');
  says(@() robot.kinDyn(), 'step()');
  says(@() footfall.Simulation('no_such_scene.yaml'), 'no_such_scene.yaml');
  says(@() biped('physics.stepp', '1 ms'), 'step');
  says(@() footfall_mex('fly', 1), 'fly');
  says(@() footfall_mex(), 'command');
  robot.run(0.01);
  robot.run(0.01);  % it is there
  says(@() robot.run(0.005), 'past');
  says(@() robot.run(-1), 'it is 0.01 s now');
  robot.close();
  says(@() robot.step(), 'closed');
  robot.close();  % twice is fine
end

addpath(getenv('FOOTFALL_TOOLBOX'));
tests = {@testSameBitsAsTheCommand, @testARestoredStateGoesOnBitForBit, @testADiagramGivesTheBitsOfTheCommand, ...
         @testADiagramTakesInputsAndShowsSignals, @testADiagramWritesALog, @testALogHoldsWhatTheRobotDid, ...
         @testAStateCanBeSet, @testAStateFileIsThatOfTheCommand, @testKinDynHoldsTheEquationOfMotion, ...
         @testTheSolesCarryTheWeight, @testAPushActsUntilChanged, @testBadCallsAreErrorsOfTheLanguage, ...
         @testBodiesAreSeenAndSetByName, @testTiesAreMadeAndReleased, @testNamesThatAreTheSameAsFieldsAreToldApart, @testMatricesAreTakenInTheirOwnShapeOnly, ...
         @testAStateOfAnotherRobotIsRefused, @testCodeMovesPrescribedJoints, ...
         @testFilesThatBlocksWriteAreThereAndCompleted, @testChangesOfTheSceneMayBeNumbersAndTruths};
failed = 0;
for i = 1:numel(tests)
  try
    tests{i}();
    printf('passed: %s\n', func2str(tests{i}));
  catch problem
    failed = failed + 1;
    printf('FAILED: %s: %s\n', func2str(tests{i}), problem.message);
  end
end
printf('%d passed, %d failed\n', numel(tests) - failed, failed);
if failed > 0
  error('footfall:test', 'some tests failed');
end
