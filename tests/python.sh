#!/usr/bin/env bash
# The Python package: built as a wheel, installed without an index into a clean environment, tested
# there by pytest.
#   python.sh BRISTLE SOURCE_DIR BUILD_DIR
source_dir=$(realpath "$2")
build=$(realpath "$3")
# shellcheck source=tests/checks.sh
. "$(dirname "$0")/checks.sh"
python=${PYTHON:-/usr/bin/python3}

for module in build setuptools wheel venv pytest hypothesis numpy pandas; do
  "$python" -c "import $module" 2>/dev/null || { echo "skipped: Python's $module is not installed"; exit 0; }
done
[ -e "$("$python" -c 'import sysconfig; print(sysconfig.get_path("include"))')/Python.h" ] ||
  { echo "skipped: the headers of Python are not installed"; exit 0; }

"$source_dir/scripts/wheel" out "$build" >said 2>&1
[ $? = 0 ] && [ -s "$(ls out/bristle-*-cp311-abi3-*.whl)" ]
verdict $? "a wheel for the stable interface is built" "$(tail -3 said)"
"$python" -m venv --system-site-packages env && env/bin/python -m pip install -q --no-index --no-deps out/*.whl >said 2>&1
verdict $? "it is installed without an index" "$(tail -3 said)"
BRISTLE=$bristle env/bin/python -m pytest -q -p no:cacheprovider "$source_dir/tests/python" >said 2>&1
verdict $? "its tests" "$(tail -30 said)"

echo "$checks checks, $failures failed"
[ $failures = 0 ]
