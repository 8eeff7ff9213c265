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
  file = fopen(log);
  last = '';
  line = fgetl(file);
  while ischar(line)
    last = line;
    line = fgetl(file);
  end
  fclose(file);
  delete(log);
  fields = strsplit(last, ',');
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
  robot.close();
  says(@() robot.step(), 'closed');
  robot.close();  % twice is fine
end

addpath(getenv('FOOTFALL_TOOLBOX'));
tests = {@testSameBitsAsTheCommand, @testARestoredStateGoesOnBitForBit, @testKinDynHoldsTheEquationOfMotion, ...
         @testTheSolesCarryTheWeight, @testAPushActsUntilChanged, @testBadCallsAreErrorsOfTheLanguage};
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
