#!/usr/bin/env bash
# The Python package: built as a wheel, installed without an index into a clean environment, tested
# there by pytest.
#   python.sh BRISTLE SOURCE_DIR BUILD_DIR
source_dir=$(realpath "$2")
build=$(realpath "$3")
# shellcheck source=tests/checks.sh
. "$(dirname "$0")/checks.sh"
python=${PYTHON:-/usr/bin/python3}

for module in build setuptools wheel venv pytest hypothesis numpy pandas matplotlib; do
  "$python" -c "import $module" 2>/dev/null || { echo "skipped: Python's $module is not installed"; exit 0; }
done
[ -e "$("$python" -c 'import sysconfig; print(sysconfig.get_path("include"))')/Python.h" ] ||
  { echo "skipped: the headers of Python are not installed"; exit 0; }

"$source_dir/scripts/wheel" out "$build" >said 2>&1 && [ -s "$(ls out/bristle-*-cp311-abi3-*.whl)" ]
verdict $? "a wheel for the stable interface is built" "$(tail -3 said)"
# pip as Debian keeps it for new environments: to unpack it takes longer than all else here
pip=$(ls /usr/share/python-wheels/pip-*.whl 2>/dev/null | head -1)
"$python" -m venv --system-site-packages ${pip:+--without-pip} env &&
  env/bin/python ${pip:--m}${pip:+/}pip install -q --no-index --no-deps --no-compile out/*.whl >said 2>&1
verdict $? "it is installed without an index" "$(tail -3 said)"
BRISTLE=$bristle env/bin/python -m pytest -q -p no:cacheprovider "$source_dir/tests/python" >said 2>&1
verdict $? "its tests" "$(tail -30 said)"
for script in compare_laws fit_csv control_loop; do
  env/bin/python "$source_dir/examples/python/$script.py" >"$script.txt" 2>said
  verdict $? "the example $script runs" "$(tail -3 said)"
done
grep -q "^Nearest to the reference: elasto_plastic" compare_laws.txt
verdict $? "compare_laws advises" "$(cat compare_laws.txt)"
# SciPy's LSODA at 1e-9, restarted at every sample, gets 0.103746119.
grep -q "^x = 0\.1037461[12]" control_loop.txt
verdict $? "control_loop comes to where it should" "$(cat control_loop.txt)"
# The recording is made with 31 N, 45 N, 170 N s/m and 20 kg.
for truth in guide.Fc:31 guide.Fs:45 guide.kv:170 axis.mass:20; do
  awk -v name=${truth%:*} -v true=${truth#*:} '$1 == name { found = 1
      for (i = 1; i <= NF; i++) if ($i == "...") { low = $(i - 1); high = $(i + 1) + 0 } }
    END { exit !(found && low <= true && true <= high) }' fit_csv.txt
  verdict $? "fit_csv: the interval of ${truth%:*} holds ${truth#*:}" "$(cat fit_csv.txt)"
done

echo "$checks checks, $failures failed"
[ $failures = 0 ]
