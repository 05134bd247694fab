"""Builds the extension bristle._core with the static library of a build tree: see scripts/wheel."""

import os

from setuptools import Extension, setup

build = os.environ["BRISTLE_BUILD"]
include = os.environ["BRISTLE_INCLUDE"]
with open(os.path.join(include, "bristle.h")) as header:
    version = ".".join(line.split()[2] for line in header if line.startswith("#define BRI_VERSION_"))
with open(os.path.join(build, "bristle.pc")) as lines:
    needed = [line.split()[1:] for line in lines if line.startswith("Libs.private:")][0]

setup(
    name="bristle",
    version=version,
    description="Friction laws for mechanical systems that stick and slip",
    license="BSD-3-Clause",
    python_requires=">=3.11",
    packages=["bristle"],
    package_data={"bristle": ["py.typed", "*.pyi"]},
    ext_modules=[
        Extension(
            "bristle._core",
            sorted(name for name in os.listdir() if name.endswith(".c")),
            include_dirs=[include],
            extra_objects=[os.path.join(build, "libbristle.a")],
            extra_compile_args=["-std=c17", "-fvisibility=hidden", "-Wall", "-Wextra", "-Werror"],
            extra_link_args=["-Wl,--exclude-libs,ALL", "-s"] + needed,
            py_limited_api=True,
        )
    ],
    options={"bdist_wheel": {"py_limited_api": "cp311"}},
)
