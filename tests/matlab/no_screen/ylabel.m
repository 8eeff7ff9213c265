function ylabel(varargin)
  % Nothing to be seen without a screen.
end
