function xlabel(varargin)
  % Nothing to be seen without a screen.
end
