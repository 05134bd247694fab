% example.m - Rabinowicz's rig in Octave or MATLAB: once as a scenario, once in a loop of one's own.
r = bristle_mex('run', 'rabinowicz');
x = r.data(:, strcmp(r.names, 'block.x'));
fprintf('x(50 s) = %.5f m by bristle\n', x(end));

law = bristle_mex('law', 'lugre');         % law.p: parameters, law.units: their units
p = law.p;
p.sigma0 = 98100;                          % numbers in SI, or texts: '98.1 kN/m'
h = 1e-3;
x = 0; v = 0.5; z = []; u = 0;             % the slab moves at 0.5 m/s; u: sliding of the block on it
for k = 1:50000
  [F, u, w, z] = bristle_mex('mass_step', 'lugre', p, 20, -10*(x + h*v), 196.2, h, u, v - 0.5, z);
  v = w + 0.5;
  x = x + h*v;
end
fprintf('x = %.3f m by a loop of steps of a millisecond\n', x);

v = logspace(-4, 0, 50);
F = bristle_mex('curve', 'lugre', p, v, 196.2);
fprintf('friction falls from %.1f N to %.1f N\n', F(1), F(end));
