function y = bri_if(condition, a, b)
  if condition
    y = a;
  else
    y = b;
  end
end

function y = bri_clamp(x, low, high)
  y = x;
  if x > high
    y = high;
  elseif x < low
    y = low;
  end
end

function y = bri_step(x)
  u = bri_clamp(x, 0, 1);
  y = u*u*(3 - 2*u);
end

% Derivative number n of r^g, guarded at and below zero: what stands in a Stribeck curve.
function y = bri_gpow(r, g, n)
  if g == 2
    y = bri_if(n == 0, r*r, bri_if(n == 1, 2*r, bri_if(n == 2, 2, 0)));
  elseif g == 1
    y = bri_if(n == 0, max(r, -1), bri_if(n == 1, double(r > -1), 0));
  elseif r <= 0
    y = bri_if(n > 0 && g == n, gamma(g + 1), 0);
  else
    y = min(1e100, r^g);
    for k = 0:n - 1
      y = y*(g - k)/max(r, 1e-12);
    end
  end
end
