# A fault of one rank ends all of them: with one sentence, without hanging, and
# with what was written before.
. "$(dirname "$0")/mpirun.sh"

tail -n +2 "$data/iris.csv" > all.csv
for r in 0 1 2; do
  awk -v r=$r 'int((NR - 1) / 50) == r' all.csv > part-$r.csv
done
base="--task classification --hidden 6 --seed 3"
options="$base --epochs 20"

# Of what is given.
expect_end "rank 3 of 4: .*part-3.csv" ranks 4 symvi_bnn_mpi -t part-%r.csv \
    $options -M x.bin
awk 'NR == 3 { $0 = "nan,1,1,1,1" } { print }' part-1.csv > bad-1.csv
cp part-0.csv bad-0.csv
expect_end "rank 1 of 2: .*bad-1.csv" ranks 2 symvi_bnn_mpi -t bad-%r.csv \
    $options -M x.bin
cut -d, -f2- part-1.csv > bad-1.csv
expect_end "same number of columns" ranks 2 symvi_bnn_mpi -t bad-%r.csv \
    $options -M x.bin
head -3 part-0.csv > few.csv; head -3 part-1.csv >> few.csv
expect_end "start fewer ranks" ranks 6 symvi_bnn_mpi -t few.csv $options \
    --validation 0.4 -M x.bin
expect_end "start fewer ranks" ranks 8 symvi_bnn_mpi -t few.csv $options \
    -M x.bin
expect_end "part-7" symvi_bnn_mpi -t part-7.csv $options -M x.bin
expect_end "unknown option" ranks 2 symvi_bnn_mpi --training_fil all.csv
expect_end "no such\|cannot\|No such" ranks 2 symvi_bnn_mpi -t all.csv \
    $options -M nowhere/x.bin
expect_end "one training file" ranks 2 symvi_bnn_mpi -t part-%r.csv $options \
    --ensemble 2 -M x.bin

# The plain program would overwrite its own files.
ranks 2 symvi_bnn -t all.csv $options -M x.bin > stdout.log \
    2> stderr.log && fail "symvi_bnn as two ranks"
grep -q "use symvi_bnn_mpi" stderr.log || fail "symvi_bnn names the other"
[ ! -e x.bin ] || fail "symvi_bnn as two ranks has written"

# Versions that differ; a rank that throws while the others wait.
expect_end "same version of symvi.*0.1.9" ranks 2 "$helper" versions \
    0.2.0 0.1.9
expect_end "rank 2 of 3: a fault of its own" ranks 3 "$helper" throw

# children PID: the processes that mpirun has started.
children()
{
  pgrep -P "$1" -f "$2"
}

# wait_for FILE PID: until it is there.
wait_for()
{
  while [ ! -e "$1" ] && kill -0 "$2" 2> /dev/null; do sleep 0.02; done
}

# A rank that is killed: the checkpoint stays, and the run goes on from it with
# another number of ranks.
long="-t all.csv $base --checkpoint_file c --checkpoint_every 5"
expect_ok symvi_bnn $long --epochs 400 -T all.csv -P one.csv
rm c
$mpirun -n 2 symvi_bnn_mpi $long --epochs 400 -M x.bin > stdout.log 2> stderr.log &
pid=$!
wait_for c $pid
kill -9 "$(children $pid symvi_bnn_mpi | tail -1)"
wait $pid && fail "a killed rank went unnoticed"
[ ! -e x.bin ] || fail "half a model"
expect_ok ranks 3 symvi_bnn_mpi $long --epochs 400 --resume -T all.csv -P p.csv
expect_close one.csv p.csv
[ -z "$(ls | grep symvi-)" ] || fail "temporary files are left: $(ls)"

# An interruption of one rank is one of all; the model is saved.
rm -f c
$mpirun -n 2 symvi_bnn_mpi $long --epochs 100000 -M x.bin > stdout.log \
    2> stderr.log &
pid=$!
wait_for c $pid
kill -INT "$(children $pid symvi_bnn_mpi | tail -1)"
wait $pid && fail "an interruption went unnoticed"
[ -s x.bin ] || fail "no model after an interruption"
expect_ok symvi_bnn -m x.bin -T all.csv -P p.csv

# A queue whose job is killed does what is left.
mkdir results
$mpirun -n 2 "$helper" queue results > stdout.log 2> stderr.log &
pid=$!
wait_for results/result.6 $pid
kill -9 $(children $pid queue)
wait $pid && fail "a killed job went unnoticed"
before=$(ls results | grep -vc symvi-)
expect_ok ranks 2 "$helper" queue results
[ "$(cat stdout.log)" -eq $((40 - before)) ] ||
    fail "pieces done: $(cat stdout.log) and $before"
finish
