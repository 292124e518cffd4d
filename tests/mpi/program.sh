# symvi_bnn_mpi does what symvi_bnn does.
. "$(dirname "$0")/mpirun.sh"

tail -n +2 "$data/iris.csv" > all.csv
for r in 0 1 2; do
  awk -v r=$r 'int((NR - 1) / 51) == r' all.csv > part-$r.csv
done
base="--task classification --hidden 6 --seed 3 --validation 0.1 -T all.csv"
options="$base --epochs 60"
expect_ok symvi_bnn -t all.csv $options -M one.bin -P one.csv -u u.csv
expect_ok ranks 1 symvi_bnn_mpi -t all.csv $options -M same.bin
expect_same one.bin same.bin
expect_ok ranks 2 symvi_bnn_mpi -t all.csv $options -M two.bin -P p.csv -u v.csv
expect_close one.csv p.csv
tail -n +2 u.csv > a.csv; tail -n +2 v.csv > b.csv
expect_close a.csv b.csv
expect_ok ranks 2 symvi_bnn_mpi -t all.csv $options -M again.bin
expect_same two.bin again.bin
# The model of several ranks is a model like any other.
expect_ok symvi_bnn -m two.bin -T all.csv -P p.csv
expect_close one.csv p.csv
expect_ok ranks 3 symvi_bnn_mpi -m two.bin -T all.csv -P p.csv
expect_close one.csv p.csv

# Every rank reads a file of its own.
expect_ok ranks 3 symvi_bnn_mpi -t part-%r.csv $options -P p.csv
expect_close one.csv p.csv

# A regression, with its responses in files by rank.
paste -d, <(tr ' ' ',' < "$data/diabetes.csv") "$data/diabetes_target.csv" \
    > d.csv
head -220 "$data/diabetes.csv" > x-0.txt
tail -n +221 "$data/diabetes.csv" > x-1.txt
head -220 "$data/diabetes_target.csv" > y-0.txt
tail -n +221 "$data/diabetes_target.csv" > y-1.txt
regression="--epochs 10 --seed 3 --hidden 8 -T x-1.txt"
expect_ok symvi_bnn -t "$data/diabetes.csv" -r "$data/diabetes_target.csv" \
    $regression -p one.csv
expect_ok ranks 2 symvi_bnn_mpi -t x-%r.txt -r y-%r.txt $regression -p p.csv
expect_close one.csv p.csv

# Ensembles are shared out, member by member.
expect_ok symvi_bnn -t all.csv $options --ensemble 3 -M one.bin
expect_ok ranks 2 symvi_bnn_mpi -t all.csv $options --ensemble 3 -M two.bin
expect_same one.bin two.bin

# Checkpoints suit any number of ranks.
run="-t all.csv $base --schedule constant --kl_warmup 0 --checkpoint_file c"
expect_ok symvi_bnn $run --epochs 60 -P one.csv
rm c
expect_ok ranks 2 symvi_bnn_mpi $run --epochs 20
expect_ok ranks 3 symvi_bnn_mpi $run --epochs 40 --resume
expect_ok symvi_bnn $run --epochs 60 --resume -P p.csv
expect_close one.csv p.csv

# The Slurm script of docs/mpi.md, by a srun that starts two ranks: what is done
# is taken up from the checkpoint.
sed -n '/^## Slurm/,$ { /^```sh/,/^```$/ { /^```/d; p } }' \
    "$data/../../../docs/mpi.md" | sed 's/--batch_size 4000/--batch_size 100 --epochs 20/' \
    > job.sh
bash -n job.sh || fail "the Slurm script"
grep -q '^srun --mpi=pmix symvi_bnn_mpi' job.sh || fail "no srun: $(cat job.sh)"
printf '#!/bin/sh\nshift\nexec %s -n 2 "$@"\n' "$mpirun" > srun
chmod +x srun
head -200 d.csv > part-0.csv
tail -n +201 d.csv > part-1.csv
expect_ok env PATH="$PWD:$PATH" sh job.sh
[ -s run.ckpt ] || fail "no checkpoint of the Slurm script"
mv model.bin first.bin
expect_ok env PATH="$PWD:$PATH" sh job.sh
expect_same first.bin model.bin

# Rank 0 speaks, the others are silent.
expect_ok ranks 2 symvi_bnn_mpi -t all.csv $options -v -M two.bin
[ "$(grep -c 'random seed is' stdout.log)" -eq 1 ] || fail "ranks that speak"
expect_ok ranks 2 symvi_bnn_mpi --version
[ "$(wc -l < stdout.log)" -eq 1 ] || fail "ranks that tell their version"
finish
