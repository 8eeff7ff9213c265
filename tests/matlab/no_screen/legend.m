function legend(varargin)
  % Nothing to be seen without a screen.
end
