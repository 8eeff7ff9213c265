% Runs a script of examples/matlab on a machine without a screen.
addpath(getenv('FOOTFALL_TOOLBOX'));
addpath(fullfile(getenv('FOOTFALL_SOURCE_DIR'), 'tests', 'matlab', 'no_screen'));
run(fullfile(getenv('FOOTFALL_SOURCE_DIR'), 'examples', 'matlab', getenv('FOOTFALL_EXAMPLE')));
disp('the example ended');
