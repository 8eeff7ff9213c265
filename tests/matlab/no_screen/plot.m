function plot(x, y)
  % Stands in for the real one, which needs a screen: checks that there is a curve.
  if ~isequal(numel(x), max(size(y))) || numel(x) < 100 || ~all(isfinite(y(:))) || all(y(:) == y(1))
    error('footfall:test', 'this is no curve');
  end
  printf('drawn: %d points, %d curves\n', numel(x), min(size(y)));
end
