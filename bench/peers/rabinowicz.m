% Octave on the Rabinowicz rig with LuGre: octave -qf rabinowicz.m REFERENCE.csv > octave.csv
% Reference, state and Jacobian as in rabinowicz.py.
1;

function dy = rhs(t, y)
  a = abs(y(2));
  dz = y(2) - a * (98100 * y(3) / (98.1 + 19.62 * exp(-a / 0.05)));
  dy = [y(2) + 0.5; -(10 * y(1) + 98100 * y(3) + 780 * dz) / 20; dz];
end

function J = jac(t, y)
  a = abs(y(2));
  s = 1 - 2 * (y(2) < 0);
  e = 19.62 * exp(-a / 0.05);
  g = 98.1 + e;
  r = 98100 * y(3) / g;
  dzv = 1 - s * r * (1 + a * e / (0.05 * g));
  dzz = -a * 98100 / g;
  J = [0, 1, 0; -0.5, -780 * dzv / 20, -(98100 + 780 * dzz) / 20; 0, dzv, dzz];
end

function report(name, rtol, out, reference, evals, seconds)
  if rows(out) != rows(reference)
    return;
  end
  out(:, 2) += 0.5;
  error = max(max(abs(out - reference) ./ [10, 1, 1.2e-3]));
  printf("rabinowicz,lugre,octave_%s,%g,%.3e,0,%d,%.1f\n", name, rtol, error, evals, seconds * 1e6);
  fflush(stdout);
end

table = csvread(argv(){1});
times = [0; table(:, 1)];
reference = table(:, 2:4);
warning("off", "all");
for rtol = [1e-4, 1e-5, 1e-6]
  best = Inf;
  options = odeset("RelTol", rtol, "AbsTol", rtol * [1, 0.1, 1e-4], "Jacobian", @jac);
  out = [];
  for k = 1:3
    begin = cputime();
    try
      [~, out] = ode15s(@rhs, times, [0; 0; 0], options);
    catch
      out = [];
    end
    best = min(best, cputime() - begin);
  end
  if !isempty(out)
    report("ode15s", rtol, out(2:end, :), reference, 0, best);
  end
end
for rtol = [1e-4, 1e-6, 1e-8]
  best = Inf;
  lsode_options("relative tolerance", rtol);
  lsode_options("absolute tolerance", rtol * [1; 0.1; 1e-4]);
  for k = 1:3
    begin = cputime();
    out = lsode({@(y, t) rhs(t, y), @(y, t) jac(t, y)}, [0; 0; 0], times);
    best = min(best, cputime() - begin);
  end
  report("lsode", rtol, out(2:end, :), reference, 0, best);
end
