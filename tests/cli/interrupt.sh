# Ctrl-C, SIGTERM, checkpoints and resuming.
. "$(dirname "$0")/common.sh"
common="--task classification --hidden 8 --validation 0.2 \
    --patience 0 --kl_warmup 0 --schedule constant"

# An uninterrupted run, and the same in two parts.
wine=(-t "$data/wine.csv")
base=(symvi_bnn $common --seed 5)
run=("${base[@]}" "${wine[@]}")
expect_ok "${run[@]}" --epochs 24 -M whole.bin --history_file whole.csv
expect_ok "${run[@]}" --epochs 11 -M part.bin --checkpoint_file c.bin
cmp -s whole.bin part.bin && fail "11 epochs give what 24 give"
expect_ok "${run[@]}" --epochs 24 --checkpoint_file c.bin --resume -M both.bin \
    --history_file both.csv
expect_same whole.bin both.bin
expect_same whole.csv both.csv
# Without --seed the checkpoint's own is used.
expect_ok "${run[@]}" --epochs 11 --checkpoint_file c.bin
expect_ok symvi_bnn $common "${wine[@]}" --epochs 24 --checkpoint_file c.bin --resume \
    -M both.bin
expect_same whole.bin both.bin
expect_error "belongs to another run: 'layers 13-8-3' there, but 'layers" \
    symvi_bnn ${common/hidden 8/hidden 9} "${wine[@]}" --seed 5 --epochs 24 --checkpoint_file c.bin --resume
sed '5s/^1/2/' "$data/wine.csv" > other.csv
expect_error "belongs to another run: 'data" "${base[@]}" -t other.csv --epochs 24 \
    --checkpoint_file c.bin --resume
expect_error "--resume needs --checkpoint_file" "${run[@]}" --resume -M both.bin

# Resuming a run that had ended gives the same model again.
for held in 0 0.2; do
  small=(symvi_bnn -t "$data/iris.csv" --task classification --hidden 4
      --seed 5 --epochs 4 --validation $held --checkpoint_file d.bin)
  expect_ok "${small[@]}" -M a.bin
  expect_ok "${small[@]}" --resume -M b.bin
  expect_same a.bin b.bin
done

# A time limit ends training early, and the model is kept.
expect_ok "${run[@]}" --epochs 1000000 --time_limit 0.5 -M t.bin -v
grep -q "stopped by --time_limit" stdout.log || fail "no time limit"
expect_ok symvi_inspect -m t.bin

# A long run that is interrupted after its first checkpoint.
for signal in INT TERM; do
  rm -f c.bin m.bin h.csv
  # A shell ignores SIGINT for background jobs; env gives it back.
  env --default-signal=INT "${run[@]}" --epochs 1000000 \
      -M m.bin --history_file h.csv --checkpoint_file c.bin \
      --checkpoint_every 1 -T "$data/wine.csv" -p p.csv 2> err.log &
  pid=$!
  for i in $(seq 200); do
    [ -s c.bin ] && break
    sleep 0.1
  done
  kill -$signal $pid
  wait $pid
  code=$?
  expected=$([ $signal = INT ] && echo 130 || echo 143)
  [ $code -eq $expected ] || fail "exit code $code after SIG$signal"
  grep -q "^\[WARN \] training was interrupted by SIG$signal after [0-9]* of" \
      err.log || fail "it does not say so: $(cat err.log)"
  [ -s m.bin ] && [ -s h.csv ] || fail "nothing was saved"
  [ -e p.csv ] && fail "predictions of an unfinished model"
  expect_ok symvi_inspect -m m.bin

  # Continued to an epoch beyond, it ends as if nothing had happened.
  epochs=$(($(wc -l < h.csv) - 1 + 3))
  expect_ok "${run[@]}" --epochs $epochs -M straight.bin
  expect_ok "${run[@]}" --epochs $epochs --checkpoint_file c.bin --resume -M again.bin
  expect_same straight.bin again.bin
done

# A schedule is a function of the whole run: stopped and resumed with the same
# options, it ends as if nothing had happened; with others it is refused.
decay=(symvi_bnn "${wine[@]}" --task classification --hidden 8 --seed 6)
rm -f c.bin
expect_ok "${decay[@]}" --epochs 400 -M straight.bin
"${decay[@]}" --epochs 400 -M m.bin --checkpoint_file c.bin --checkpoint_every 1 \
    2> err.log &
pid=$!
for i in $(seq 200); do
  [ -s c.bin ] && break
  sleep 0.05
done
kill -KILL $pid
wait $pid
[ -s c.bin ] || fail "no checkpoint"
expect_ok "${decay[@]}" --epochs 400 --checkpoint_file c.bin --resume \
    -M again.bin
expect_same straight.bin again.bin
expect_error "belongs to another run: 'schedule 0.02 0.3 0.01 over 400 epochs'" \
    "${decay[@]}" --epochs 500 --checkpoint_file c.bin --resume

# Early stopping.
expect_ok symvi_bnn -t "$data/wine.csv" --task classification --hidden 8 \
    --validation 0.3 --patience 5 --seed 2 --epochs 400 --step_size 0.05 \
    -M e.bin --history_file e.csv -v
grep -q "had not improved for 5 epochs" stdout.log || fail "no early stop"
[ "$(wc -l < e.csv)" -lt 400 ] || fail "it did not stop early"
finish
