"""Builds a wheel of symvi with CMake; needs nothing that pip would download.

pip install .
pip install . --config-settings=build-dir=build/release   # what is built there
"""
import base64
import hashlib
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def _version():
    text = (ROOT / "include/symvi/version.hpp").read_text()
    return re.search(r'define SYMVI_VERSION "([^"]*)"', text).group(1)


def _numpy(directory):
    """numpy, as far as the pybind11 of a build knows it."""
    cache = Path(directory, "CMakeCache.txt").read_text()
    folder = re.search(r"(?m)^pybind11_DIR:\w+=(.*)$", cache).group(1)
    version = Path(folder, "pybind11ConfigVersion.cmake").read_text()
    major, minor = re.search(r'"(\d+)\.(\d+)', version).groups()
    return "numpy<2" if (int(major), int(minor)) < (2, 12) else "numpy"


def _metadata(numpy="numpy"):
    return (
        "Metadata-Version: 2.1\n"
        "Name: symvi\n"
        f"Version: {_version()}\n"
        "Summary: Bayesian neural networks as scikit-learn estimators\n"
        "License: BSD-3-Clause\n"
        "Requires-Python: >=3.9\n"
        f"Requires-Dist: {numpy}\n"
        "Requires-Dist: scikit-learn>=1.0\n"
    )


def _tag():
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    platform = re.sub(r"[-.]", "_", sysconfig.get_platform())
    return f"{python}-{python}-{platform}"


def _run(*command):
    print("symvi:", *command, flush=True)
    # Out of pip's isolation, in which numpy cannot be seen.
    environment = {
        name: value
        for name, value in os.environ.items()
        if name not in ("PYTHONPATH", "PYTHONNOUSERSITE")
    }
    if subprocess.call([str(word) for word in command], env=environment) != 0:
        raise SystemExit(
            f"symvi: '{command[0]} {command[1]}' failed, see above; "
            "scripts/setup.sh brings what the build needs."
        )


def _build(directory):
    if shutil.which("cmake") is None:
        raise SystemExit("symvi: cmake is missing; scripts/setup.sh brings it.")
    generator = ["-GNinja"] if shutil.which("ninja") else []
    _run(
        "cmake",
        *("-S", ROOT, "-B", directory, *generator),
        "-DCMAKE_BUILD_TYPE=Release",
        "-DSYMVI_PYTHON=ON",
        "-DSYMVI_BINDINGS=OFF",
        f"-DPython_EXECUTABLE={sys.executable}",
    )
    jobs = os.environ.get("CMAKE_BUILD_PARALLEL_LEVEL", os.cpu_count() or 1)
    target = "symvi_python"
    _run("cmake", "--build", directory, "--parallel", jobs, "--target", target)


def _record(path, content):
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest())
    return f"{path},sha256={digest.rstrip(b'=').decode()},{len(content)}\n"


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    directory = (config_settings or {}).get("build-dir")
    if directory is None:
        directory = ROOT / "build" / f"python-{_tag()}"
        _build(directory)
    name = f"symvi-{_version()}"
    wheel = f"{name}-{_tag()}.whl"
    with tempfile.TemporaryDirectory() as stage:
        _run(
            *("cmake", "--install", directory, "--component", "python"),
            *("--prefix", stage, "--strip"),
        )
        # The folder symvi, wherever below the prefix the build put it.
        package = next(Path(stage).rglob("symvi/__init__.py")).parent
        files = {
            f"symvi/{file.relative_to(package)}": file.read_bytes()
            for file in sorted(package.rglob("*"))
            if file.is_file()
        }
    info = f"{name}.dist-info"
    files[f"{info}/METADATA"] = _metadata(_numpy(directory)).encode()
    files[f"{info}/LICENSE"] = (ROOT / "LICENSE").read_bytes()
    files[f"{info}/WHEEL"] = (
        "Wheel-Version: 1.0\nGenerator: symvi\nRoot-Is-Purelib: false\n"
        f"Tag: {_tag()}\n"
    ).encode()
    record = "".join(_record(path, content) for path, content in files.items())
    files[f"{info}/RECORD"] = (record + f"{info}/RECORD,,\n").encode()
    with zipfile.ZipFile(
        os.path.join(wheel_directory, wheel), "w", zipfile.ZIP_DEFLATED
    ) as archive:
        for path, content in files.items():
            archive.writestr(path, content)
    return wheel


def build_sdist(sdist_directory, config_settings=None):
    name = f"symvi-{_version()}"
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, check=True, stdout=subprocess.PIPE
    )
    archive = f"{name}.tar.gz"
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as metadata:
        metadata.write(_metadata())
        metadata.flush()
        path = os.path.join(sdist_directory, archive)
        with tarfile.open(path, "w:gz", format=tarfile.PAX_FORMAT) as tar:
            tar.add(metadata.name, f"{name}/PKG-INFO")
            for file in listed.stdout.decode().split("\0")[:-1]:
                tar.add(ROOT / file, f"{name}/{file}")
    return archive
