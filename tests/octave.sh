#!/usr/bin/env bash
# The MEX function for Octave and MATLAB: compiled by mkoctfile, its numbers against the command.
#   octave.sh BRISTLE SOURCE_DIR LIBRARY_DIR
source_dir=$(realpath "$2")
library=$(realpath "$3")
# shellcheck source=tests/checks.sh
. "$(dirname "$0")/checks.sh"
if ! command -v octave >/dev/null || ! command -v mkoctfile >/dev/null; then
  echo "skipped: octave or mkoctfile is not installed (Debian: octave-dev)"
  exit 0
fi
cp "$source_dir/octave/bristle_mex.c" .
CFLAGS='-O2 -Wall -Wextra -Werror' mkoctfile --mex -I"$source_dir/include" bristle_mex.c -L"$library" -Wl,-rpath,"$library" -lbristle >said 2>&1
verdict $? "it compiles without a warning" "$(head -5 said)"
"$bristle" run rabinowicz --set run.until='5 s' --set pad.sigma0=5e4 -o run.csv 2>/dev/null
"$bristle" run rabinowicz --model coulomb --events events.csv -o coulomb.csv 2>/dev/null
"$bristle" curve lugre --v 0.001:0.2 --set mu_c=0.5 --set mu_s=0.7 --load 50 >curve.csv 2>/dev/null
"$bristle" models --names >names.txt

cat >checks.m <<'END'
1;
function check(good, words)
  if good, printf("ok %s\n", words); else, printf("not ok %s\n", words); end
end
function r = relative(a, b)
  r = max(abs(a(:) - b(:)))/max(abs(b(:)));
end
function refuses(words, varargin)
  try
    bristle_mex(varargin{:});
    check(false, ["refused: " words]);
  catch e
    check(! isempty(strfind(e.message, words)), ["refused: " words]);
    if isempty(strfind(e.message, words)), disp(e.message), end
  end
end
listed = strsplit(strtrim(fileread("names.txt")));
check(isequal(sort(listed(:)), sort(bristle_mex("laws"))), "the laws are those of the command");
for name = bristle_mex("laws")'
  law = bristle_mex("law", name{1});
  F = bristle_mex("step", name{1}, law.p, [0.01 -0.02; 0 0.1], law.load, 1e-3, []);
  if ! (isequal(size(F), [2 2]) && all(isfinite(F(:)))), check(false, name{1}), end
end
check(true, "all laws step");
curve = csvread("curve.csv", 1, 0);
check(relative(bristle_mex("curve", "lugre", struct("mu_s", 0.7), curve(:, 1), 50), curve(:, 2)) < 1e-9, "curve of the command");
r = bristle_mex("run", "rabinowicz", {"run.until", "5 s"; "pad.sigma0", 5e4});
table = csvread("run.csv", 1, 0);
check(isequal(size(r.data), size(table)) && relative(r.data(:, 2), table(:, 2)) < 1e-9, "run of the command");
check(strcmp(r.names{1}, "t") && strcmp(r.names{2}, "block.x") && strcmp(r.units{2}, "m"), "names and units");
s = bristle_mex("run", "rabinowicz", struct("run__until", 5, "pad__sigma0", 5e4));
check(isequal(s.data, r.data), "settings of a struct");
r = bristle_mex("run", "rabinowicz", [], "coulomb");
events = csvread("events.csv", 1, 0);
check(rows(r.events) == rows(events) && relative(r.events(:, 1), events(:, 1)) < 1e-9, "events of the command");
text = "bodies:\n  block: {mass: 2 kg, v: 1 m/s}\ncontacts:\n  pad: {between: [block, ground], load: 10 N, model: coulomb, mu_c: 0.4, mu_s: 0.5}\nrun: {until: 2 s, output: 0.1 s}\n";
r = bristle_mex("run", text);
check(abs(r.data(end, 2) - 0.25) < 1e-9, "a rig from text");
% a step of many contacts is that of each; states come back contact after contact
p = struct("sigma0", "1e5 N/m");
v = linspace(-0.1, 0.1, 11);
[F, z] = bristle_mex("step", "lugre", p, v, 100, 1e-3, []);
[F, z] = bristle_mex("step", "lugre", p, v, 100, 1e-3, z);
for i = 1:11
  [f, y] = bristle_mex("step", "lugre", p, v(i), 100, 1e-3, []);
  [f, y] = bristle_mex("step", "lugre", p, v(i), 100, 1e-3, y);
  g(i) = f;
  w(i) = y;
end
check(relative(F, g) < 1e-12 && relative(z, w) < 1e-12, "arrays are loops");
[F, dz] = bristle_mex("force", "lugre", struct("gamma", 2), 0.01, 100, 3e-4);
h = 1e-7;
check(isequal(size(dz), [1 1]), "rates");
[F, x, v] = bristle_mex("mass_step", "coulomb", [], 1e-3, 5.9, 10, 1e-3, 0, 0, []);
check(F == 5.9 && x == 0 && v == 0, "a mass sticks exactly");
refuses("did you mean 'lugre'", "law", "lugr");
refuses("no parameter 'speed'", "force", "lugre", struct("speed", 1), 0.1, 10, []);
refuses("mu_s must be >= mu_c", "force", "lugre", struct("mu_c", 9), 0.1, 10, []);
refuses("kg", "force", "lugre", struct("v_s", "3 kg"), 0.1, 10, []);
refuses("where 2 are wanted", "force", "lugre", [], [1 2], 10, [1 2 3]);
refuses("where 3 are wanted", "force", "lugre", [], [1 2 3], [1 2], []);
refuses("h must be", "step", "lugre", [], 0.1, 10, -1, []);
refuses("h: nan is not a finite number", "step", "lugre", [], 0.1, 10, NaN, []);
refuses("v: nan is not a finite number", "force", "lugre", [], [0.1 NaN], 10, []);
refuses("n: inf is not a finite number", "force", "lugre", [], 0.1, Inf, []);
refuses("z: nan is not a finite number", "step", "lugre", [], 0.1, 10, 1e-3, NaN);
refuses("a row for each state", "force", "gonthier", [], [0 0 0], 10, zeros(3, 2));
refuses("a struct of parameters", "force", "lugre", "", 0.1, 10, []);
refuses("a struct of parameters", "force", "lugre", {}, 0.1, 10, []);
refuses("real numbers are wanted", "force", "lugre", [], 0.1, 10, "");
refuses("a cell", "run", "rabinowicz", "");
try, [a, b, c] = bristle_mex("laws"); check(false, "too many values"); catch e, check(! isempty(strfind(e.message, "it gives 1")), "too many values are refused"); end
refuses("must be positive", "mass_step", "lugre", [], 0, 1, 1, 1e-3, 0, 0, []);
refuses("real numbers are wanted", "step", "lugre", [], single(1), 10, 1e-3, []);
refuses("arguments", "step", "lugre");
refuses("there is no 'stop'", "stop");
refuses("a text is wanted", 3);
refuses("did you mean 'sigma0'", "run", "rabinowicz", {"pad.sgma0", 1});
refuses("rabinowicz", "run", "rabinowiz");
refuses("a cell", "run", "rabinowicz", 3);
END
octave --no-gui --quiet --norc checks.m >said 2>&1
verdict $? "the checks in Octave come to their end" "$(tail -3 said)"
[ "$(grep -c '^ok ' said)" -ge 25 ]
verdict $? "all of them are done" "$(grep -c '^ok ' said)"
! grep -q '^not ok' said
verdict $? "and all are good" "$(grep -A1 '^not ok' said)"
octave --no-gui --quiet --norc "$source_dir/octave/example.m" >said 2>&1 && grep -q '^x(50 s) = 11\.83' said
verdict $? "the example" "$(tail -3 said)"

echo "$checks checks, $failures failed"
[ $failures = 0 ]
