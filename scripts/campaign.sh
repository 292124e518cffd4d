#!/bin/bash
# Faults, kills and damaged files against the library and the programs; prints
# one table of what was tried and what failed.
#
#   usage: scripts/campaign.sh [--quick] [--build FOLDER] [--seed N] [--only LANE]
#
# --quick takes about three minutes: a sample of all faults with the programs of
# FOLDER (default build/release).  Without it every kill, file call and
# allocation is tried; 100,000 damaged files and the tests of the programs run
# under the address and undefined-behaviour sanitizers, trainers and predictors
# under the thread sanitizer; and coverage is measured (hours).  --only runs the
# lanes whose names contain LANE.  --seed chooses the faults of a sample, the
# damage, and what is trained: data, task, options.
set -u
export LC_ALL=C OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1
cd "$(dirname "$0")/.." || exit 2
source=$PWD

quick= build= seed=1 only=
while [ $# -gt 0 ]; do
  case $1 in
    --quick) quick=1 ;;
    --build) build=$(cd "$2" && pwd) || exit 2; shift ;;
    --seed) seed=$2; shift ;;
    --only) only=$2; shift ;;
    *) sed -n 's/^#   usage/usage/p' "scripts/campaign.sh" >&2; exit 2 ;;
  esac
  shift
done

if [ -z "$build" ]; then
  build=$source/build/release
  cmake --preset release >/dev/null || exit 2
  targets="symvi_align symvi_bnn symvi_evaluate symvi_inspect symvi_damage
    symvi_threads symvi_syscall_fault symvi_alloc_fault"
  grep -q '^onnx_FOUND\|ONNX_DIR:PATH=/' "$build/CMakeCache.txt" &&
    targets="$targets symvi_onnx fuzz_onnx"
  # shellcheck disable=SC2086
  cmake --build --preset release -- $targets || exit 2
fi
bin=$build/bindings
tools=$build/tests/campaign
preload=$(find "$tools" -name 'libsymvi_alloc_fault.so')

work=$(mktemp -d "${TMPDIR:-/tmp}/campaign.XXXXXX")
# Not of a subshell that a signal meets before it is a program.
trap 'if [ $BASHPID -eq $$ ]; then rm -rf "$work"; fi' EXIT
table=$work/table
lane=
tried=0
failed=0

# wanted NAME: whether --only lets this lane run.
wanted() { case $1 in *"$only"*) ;; *) return 1 ;; esac; }
begin() { lane=$1; tried=0; failed=0; }
end()
{
  printf '%-34s %8d %8d\n' "$lane" "$tried" "$failed" | tee -a "$table"
}
# bad WHAT...: the current try failed.
bad()
{
  failed=$((failed + 1))
  [ "$failed" -gt 20 ] || echo "FAILED: $lane: $*" >&2
}
# points TOTAL SAMPLE: which of TOTAL faults are tried.
points()
{
  local step=1
  [ -z "$quick" ] || step=$((($1 + $2 - 1) / $2))
  [ "$step" -gt 0 ] || step=1
  seq $((1 + seed % step)) "$step" "$1"
}
calls() { sed -n 's/^calls //p' "$1"; }

data=$source/tests/cli/data
cd "$work" || exit 2
echo older > older
cp "$data/iris.csv" iris.csv
sed 1d iris.csv | cut -d, -f1-4 > points.csv
sed 1d iris.csv | cut -d, -f5 > labels.csv
paste -d, <(tr ' ' , < "$data/diabetes.csv") "$data/diabetes_target.csv" |
  head -n 60 > table.csv
sed 1d "$data/wine.csv" | head -n 40 > wine.csv
sed 1d iris.csv | awk 'NR % 2' > odd.csv
sed 1d iris.csv | awk 'NR % 2 == 0' > even.csv
# What is trained: another task, other data and options for other seeds.
case $((seed % 3)) in
  1) options="-t $work/iris.csv --task classification --hidden 3" ;;
  2) options="-t $work/table.csv --task regression --hidden 4,3
       --activation tanh --noise heteroscedastic --batch_size 16" ;;
  *) options="-t $work/wine.csv --task regression --hidden 4 --noise learned
       --schedule constant --estimator importance" ;;
esac
train="$bin/symvi_bnn $options --epochs 3 --seed $((seed + 4))
  --checkpoint_file c --checkpoint_every 1 -M out1 --history_file out2"
$bin/symvi_bnn -t iris.csv --task classification --hidden 4 --epochs 2 \
  --seed $((seed + 6)) -M model.bin || exit 1
$bin/symvi_bnn -t iris.csv --task classification --hidden 4 --epochs 2 \
  --seed $((seed + 6)) --ensemble 2 -M ensemble.bin || exit 1

# ---- Kill -9 at every system call of a training run, then resume. ----

# kills NAME [OPTION]...
kills()
{
  wanted "$1" || return 0
  begin "$1"; shift
  rm -rf ref; mkdir ref
  (cd ref && $train "$@") || { bad "reference run"; end; return; }
  rm -rf run; mkdir run
  (cd run && "$tools/symvi_syscall_fault" kill 0 $train "$@") 2>log
  for n in $(points "$(calls log)" 60); do
    tried=$((tried + 1))
    rm -rf run; mkdir run
    cp older run/out1; cp older run/out2
    (cd run && "$tools/symvi_syscall_fault" kill "$n" $train "$@") 2>/dev/null
    for f in out1 out2; do
      cmp -s run/$f ref/$f || cmp -s run/$f older ||
        bad "call $n leaves a torn $f"
    done
    resume=
    [ -z "$(find run -name 'c' -o -name 'c.1')" ] || resume=--resume
    (cd run && $train "$@" $resume) >log 2>&1 || bad "call $n: $(cat log)"
    for f in out1 out2; do
      cmp -s run/$f ref/$f || bad "call $n: the resumed run has another $f"
    done
    ls run | grep -q symvi- && bad "call $n: temporary files stay"
  done
  end
}

# ---- The n-th file call or allocation fails. ----

# check N CODE: what became of run/ after fault N.
check()
{
  local new=1 old=1 f
  for f in out1 out2; do
    [ -e "ref/$f" ] || continue
    cmp -s "run/$f" "ref/$f" || new=
    cmp -s "run/$f" older || old=
  done
  if [ "$2" -ge 124 ]; then
    bad "fault $1 ends with code $2: $(head -c 300 log)"
  elif [ "$2" -eq 0 ]; then
    [ -n "$new" ] && cmp -s run/stdout ref/stdout ||
      bad "fault $1: exit code 0 without the result"
  else
    [ -n "$new$old" ] || bad "fault $1: some outputs are new, some old"
    [ -s log ] || bad "fault $1: no sentence"
  fi
}

# try NAME TOTAL SAMPLE COMMAND...: run it with every fault n in NTH.
try()
{
  local n total=$2 sample=$3
  begin "$1"; shift 3
  for n in $(points "$total" "$sample"); do
    fresh
    (cd run && NTH=$n timeout 20 "$@" >stdout) 2>log
    check "$n" $?
  done
  end
}
fileFault() { exec "$tools/symvi_syscall_fault" fail "$NTH" "$@"; }
allocFault() { SYMVI_ALLOC_FAULT=$NTH LD_PRELOAD=$preload exec "$@"; }
export -f fileFault allocFault
export tools preload

# faults NAME COMMAND...: file calls that fail, and allocations.
faults()
{
  local name=$1 kind function; shift
  rm -rf ref; mkdir ref
  (cd ref && "$@" >stdout) || { begin "$name"; bad "reference"; end; return; }
  for kind in "file calls" allocations; do
    wanted "$name, $kind" || continue
    function=fileFault
    [ "$kind" = "file calls" ] || function=allocFault
    rm -rf run; mkdir run
    (cd run && NTH=0 bash -c "$function"' "$@"' - "$@" >stdout) 2>log
    try "$name, $kind" "$(calls log)" 40 bash -c "$function"' "$@"' - "$@"
  done
}
fresh()
{
  tried=$((tried + 1))
  rm -rf run; mkdir run
  for f in out1 out2; do
    [ ! -e "ref/$f" ] || cp older "run/$f"
  done
}

# ---- SIGTERM, little memory, full disks, pipes. ----

# ends NAME COMMAND...: SIGTERM at some moments of a run that takes longer.
ends()
{
  wanted "SIGTERM in $1" || return 0
  begin "SIGTERM in $1"; shift
  local delay started code
  for delay in 0.02 0.0$((1 + seed % 9)) 0.2 0.$((3 + seed % 6)) 1; do
    tried=$((tried + 1))
    rm -rf run; mkdir run
    cd run || exit 2
    timeout -s KILL 9 "$@" >/dev/null 2>../log &
    cd .. || exit 2
    sleep "$delay"
    started=${EPOCHREALTIME//[.,]/}
    kill -TERM $! # From timeout to the program.
    wait $! 2>/dev/null
    code=$?
    [ $((${EPOCHREALTIME//[.,]/} - started)) -lt 2100000 ] ||
      bad "after $delay s: it goes on for more than two seconds"
    [ $code -eq 143 ] || bad "after $delay s: code $code, $(head -c 300 log)"
  done
  end
}

# little NAME RESULT COMMAND...: address spaces from too small to enough.
little()
{
  wanted "little memory, $1" || return 0
  begin "little memory, $1"
  local result=$2 limit code; shift 2
  for limit in 60000 90000 120000 150000 180000 250000 400000; do
    # OpenBLAS 0.3.29 maps its buffer before main(), and tries for ever where it
    # cannot: nothing that a program could mend.
    (ulimit -v $limit && exec timeout -k 1 2 "$bin/symvi_bnn" --version) \
      >/dev/null 2>&1
    [ $? -ne 124 ] || continue
    tried=$((tried + 1))
    rm -rf run; mkdir run
    (cd run && ulimit -v $limit && exec timeout -k 3 20 "$@" >stdout) 2>log
    code=$?
    [ $code -lt 124 ] || bad "$limit kB: code $code"
    [ $code -ne 0 ] || [ -s "run/$result" ] || bad "$limit kB: no result"
    [ $code -eq 0 ] || [ -s log ] || bad "$limit kB: no sentence"
  done
  end
}

# full COMMAND... OPTION: where OPTION names a full disk ("": the standard
# output), the program says so, and the other outputs stay as they were.
full()
{
  tried=$((tried + 1))
  fresh_outputs
  local code
  if [ -z "${!#}" ]; then
    (cd run && exec "${@:1:$#-1}" >/dev/full) 2>log
  else
    (cd run && exec "$@" /dev/full >stdout) 2>log
  fi
  code=$?
  [ $code -eq 1 ] || bad "$*: code $code"
  grep -q '^\[FATAL\] cannot write' log || bad "$*: $(cat log)"
  [ -z "${!#}" ] || cmp -s run/out1 older || bad "$*: the other output is new"
}
fresh_outputs()
{
  rm -rf run; mkdir run
  cp older run/out1; cp older run/out2
}
full_disks()
{
  wanted "full disks" && [ -c /dev/full ] || return 0
  begin "full disks"
  local option predict
  for option in --history_file --checkpoint_file; do
    full "$bin/symvi_bnn" $options --epochs 2 -M out1 "$option"
  done
  full "$bin/symvi_bnn" $options --epochs 2 --history_file out1 -M
  predict="$bin/symvi_bnn -m $work/model.bin -T $work/iris.csv --draws 20"
  for option in --probabilities_file -u --draws_file -M; do
    full $predict -p out1 "$option"
  done
  full $predict -u out1 -p
  full $predict --conformal_file "$work/odd.csv" -p out1 --sets_file
  full "$bin/symvi_evaluate" -m "$work/model.bin" -T "$work/iris.csv" \
    --report_file
  full "$bin/symvi_inspect" -m "$work/model.bin" -M
  for option in -M --permutations_file --pairs_file; do
    full $align "$work/samples.csv" --task classification -o out1 "$option"
  done
  full $align "$work/samples.csv" --pairs_file out1 -o
  if [ -x "$bin/symvi_onnx" ]; then
    full "$bin/symvi_onnx" -m "$work/model.bin" -o
    full "$bin/symvi_onnx" -i "$work/net.onnx" -M
  fi
  full "$bin/symvi_evaluate" -m "$work/model.bin" -T "$work/iris.csv" ""
  full "$bin/symvi_inspect" -m "$work/ensemble.bin" ""
  full $align "$work/samples.csv" ""
  full "$bin/symvi_bnn" -m "$work/model.bin" -T "$work/points.csv" \
    -L "$work/labels.csv" --draws 20 "" # Prints scores.
  for option in --help --version; do
    full "$bin/symvi_align" "$option" ""
  done
  end
}

# Whatever can be read once is read from a pipe as from a file.
pipes()
{
  wanted "pipes" || return 0
  begin "pipes"
  local model kind
  for model in model ensemble; do
    for kind in predict inspect; do
      tried=$((tried + 1))
      set -- "$bin/symvi_bnn" -T "$work/points.csv" -p /dev/stdout --draws 20
      [ "$kind" = predict ] || set -- "$bin/symvi_inspect"
      "$@" -m $model.bin > expected
      timeout 20 "$@" -m <(cat $model.bin) > found
      cmp -s expected found || bad "$kind with $model.bin from a pipe"
    done
  done
  tried=$((tried + 3))
  "$bin/symvi_bnn" -m model.bin -T points.csv -p expected --draws 20
  timeout 20 "$bin/symvi_bnn" -m model.bin -T <(cat points.csv) \
    -p found --draws 20
  cmp -s expected found || bad "points from a pipe"
  $align samples.csv -o expected.csv > /dev/null
  timeout 20 $align <(cat samples.csv) -o found.csv > /dev/null
  cmp -s expected.csv found.csv || bad "samples from a pipe"
  # Neither a table nor an array: one sentence.
  timeout 20 "$bin/symvi_align" -i <(cat model.bin) --layers 4,4,3 \
    --activation relu --layout symvi > log 2>&1
  [ $? -eq 1 ] && [ "$(grep -c FATAL log)" -eq 1 ] ||
    bad "a model for symvi_align from a pipe: $(cat log)"
  end
}

# counted NAME COMMAND...: a program that prints "N tried, M failed".
counted()
{
  wanted "$1" || return 0
  begin "$1"; shift
  "$@" >log 2>log.err
  local code=$?
  set -- $(sed -n 's/.*: \([0-9]*\) tried, \([0-9]*\) failed.*/\1 \2/p' log)
  tried=${1:-1} failed=${2:-1}
  [ $code -eq 0 ] || [ "$failed" -gt 0 ] || failed=1
  [ "$failed" -eq 0 ] || tail -n 20 log.err >&2
  end
}

# program NAME COMMAND...: one that either ends well or does not.
program()
{
  wanted "$1" || return 0
  begin "$1"; shift
  tried=1
  "$@" >log 2>&1 || { bad "see below"; tail -n 40 log >&2; }
  end
}

if [ -n "$quick" ]; then
  counted "damaged files" "$tools/symvi_damage" 2000 "$seed"
  counted "threads" "$tools/symvi_threads"
fi
# Samples of a network 4 - 4 - 3, as a table, an array and models.
align="$bin/symvi_align --layers 4,4,3 --activation relu --layout symvi -i"
for i in 1 2 3; do
  "$bin/symvi_bnn" -m model.bin -t iris.csv --task classification --epochs 1 \
    --seed $((seed + i)) -M sample$i.bin
done
"$bin/symvi_align" -i sample1.bin,sample2.bin,sample3.bin -o samples.csv \
  > /dev/null
$align samples.csv -o samples.npy > /dev/null

kills "kill -9 and resume"
kills "the same with validation" --validation 0.2 --patience 2
kills "the same, an ensemble" --ensemble 2 --threads 1
faults "train" $train
faults "train an ensemble" $train --ensemble 2 --threads 1
faults "predict" "$bin/symvi_bnn" -m "$work/model.bin" -T "$work/points.csv" \
  -p out1 --probabilities_file out2 --draws 20
faults "predict, corrected" "$bin/symvi_bnn" -m "$work/ensemble.bin" \
  -T "$work/points.csv" --calibration_file "$work/odd.csv" -p out1 \
  --conformal_file "$work/even.csv" --sets_file out2 --draws 10
faults "evaluate" "$bin/symvi_evaluate" -m "$work/model.bin" \
  -T "$work/iris.csv" --report_file out1 --json --draws 20 --samples 5
for kind in csv npy; do
  faults "align, $kind" $align "$work/samples.$kind" -o out1 -M out2 \
    --task classification
done
faults "prune" "$bin/symvi_inspect" -m "$work/model.bin" --prune 0.3 -M out1
if [ -x "$bin/symvi_onnx" ]; then
  faults "export" "$bin/symvi_onnx" -m "$work/model.bin" \
    --output_onnx_file out1 --samples 3
  "$bin/symvi_onnx" -m model.bin --output_onnx_file net.onnx --mode mean
  faults "import" "$bin/symvi_onnx" --input_onnx_file "$work/net.onnx" \
    --task classification -M out1
  faults "align, onnx" "$bin/symvi_align" -i "$work/net.onnx,$work/net.onnx" \
    -o out1 --pairs_file out2
fi
long="$bin/symvi_bnn $options --epochs 1000000 -M out1"
ends "training" $long --checkpoint_file c --checkpoint_every 1
ends "an ensemble" $long --ensemble 3
if wanted "SIGTERM"; then
  # Enough that no machine reads, evaluates or aligns it in a second.
  for i in {1..2000}; do cat odd.csv even.csv; done > many.csv
  for i in {1..700}; do cat samples.csv; done > many_samples.csv
fi
ends "reading a table" "$bin/symvi_bnn" -t "$work/many.csv" \
  --task classification --epochs 100000
ends "predicting" "$bin/symvi_bnn" -m "$work/ensemble.bin" -T "$work/many.csv" \
  -p out1 --draws 1000
ends "evaluating" "$bin/symvi_evaluate" -m "$work/model.bin" \
  -T "$work/many.csv" --draws 1000
ends "aligning" $align "$work/many_samples.csv" -t "$work/many.csv" \
  --task classification -o out1
little "training" out1 $train
little "predicting" out1 "$bin/symvi_bnn" -m "$work/ensemble.bin" \
  -T "$work/points.csv" -p out1
little "evaluating" stdout "$bin/symvi_evaluate" -m "$work/model.bin" \
  -T "$work/iris.csv"
little "aligning" out1 $align "$work/samples.npy" -o out1
full_disks
pipes

# sanitized, threaded: the lanes that need a build of their own.
sanitized()
{
  wanted "ASan and UBSan" || return 0
  local folder=$source/build/campaign
  (cd "$source" && cmake --preset sanitize -DSYMVI_BINDINGS=ON -B "$folder" \
    >/dev/null && cmake --build "$folder") || exit 2
  counted "damaged files, ASan and UBSan" \
    "$folder/tests/campaign/symvi_damage" 100000 "$seed"
  [ ! -x "$folder/tests/onnx/fuzz_onnx" ] ||
    program "damaged ONNX, ASan and UBSan" \
      "$folder/tests/onnx/fuzz_onnx" 100000 "$seed"
  program "programs, ASan and UBSan" ctest --test-dir "$folder" -L cli \
    --output-on-failure
}
threaded()
{
  wanted "threads, TSan" || return 0
  (cd "$source" && cmake --preset thread >/dev/null &&
    cmake --build --preset thread) || exit 2
  export TSAN_OPTIONS="suppressions=$source/tests/campaign/tsan.supp"
  counted "threads, TSan" "$source/build/thread/tests/campaign/symvi_threads"
}
if [ -z "$quick" ]; then
  sanitized
  threaded
  program "coverage" "$source/scripts/coverage.sh"
  ! wanted coverage || cat log
fi

echo
printf '%-34s %8s %8s\n' "" tried failed
cat "$table"
! awk '{ sum += $NF } END { exit !(sum > 0) }' "$table"
