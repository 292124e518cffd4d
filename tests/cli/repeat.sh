# The same seed gives the same bytes; formats and orders of files do not matter.
. "$(dirname "$0")/common.sh"
iris=(-t "$data/iris.csv" --task classification --epochs 150 --hidden 8)

for run in 1 2; do
  expect_ok symvi_bnn "${iris[@]}" --seed 7 -M m$run.bin -T "$data/iris.csv" \
      -p p$run.csv --probabilities_file q$run.csv -u u$run.csv \
      --history_file h$run.csv --draws_file d$run.csv --draws 50
done
for file in m p q u h d; do
  extension=$([ $file = m ] && echo bin || echo csv)
  expect_same ${file}1.$extension ${file}2.$extension
done
expect_ok symvi_bnn "${iris[@]}" --seed 8 -M m3.bin
cmp -s m1.bin m3.bin && fail "another seed gives the same model"

# A saved model predicts what it predicted when it was trained.
expect_ok symvi_inspect -m m1.bin -M copy.bin
expect_same m1.bin copy.bin
expect_ok symvi_bnn -m copy.bin -T "$data/iris.csv" --draws 50 \
    --seed 7 -p p4.csv -P q4.csv -u u4.csv
expect_same p1.csv p4.csv
expect_same q1.csv q4.csv
expect_same u1.csv u4.csv
# Without --seed the model's own is used.
expect_ok symvi_bnn -m m1.bin -T "$data/iris.csv" --draws 50 \
    --probabilities_file q5.csv
expect_same q1.csv q5.csv

# The clock: two runs differ, and the seed that --verbose names repeats one.
expect_ok symvi_bnn "${iris[@]}" -v -M c1.bin
seed=$(sed -n 's/.*The random seed is \([0-9]*\)\..*/\1/p' stdout.log)
expect_ok symvi_bnn "${iris[@]}" -M c2.bin
cmp -s c1.bin c2.bin && fail "two runs without a seed are the same"
expect_ok symvi_bnn "${iris[@]}" --seed "$seed" -M c3.bin
expect_same c1.bin c3.bin

# Names of labels survive, with another spelling of the same data.
tail -n +2 "$data/iris.csv" | awk -F, 'BEGIN { split("setosa,versi color,v", n, ",") }
  { print n[$5 + 1] }' > names.txt
tail -n +2 "$data/iris.csv" | cut -d, -f1-4 | tr , '\t' > x.tsv
expect_ok symvi_bnn -t x.tsv -l names.txt --epochs 150 --hidden 8 --seed 7 \
    -T x.tsv -p names.csv --probabilities_file q6.csv --draws 50
[ "$(sort -u names.csv | tr '\n' ,)" = "setosa,v,versi color," ] ||
    fail "labels are not written back as they were"
paste -d, names.csv names.txt | awk -F, '$1 != $2 { ++bad }
  END { exit bad > 20 }' || fail "named labels are predicted badly"

# ARFF: the same numbers, the same model.
(printf '@relation iris\n'
 for i in 1 2 3 4; do echo "@attribute a$i numeric"; done
 printf '@attribute class {0,1,2}\n@data\n'; tail -n +2 "$data/iris.csv") > i.arff
expect_ok symvi_bnn -t i.arff --task classification --epochs 150 --hidden 8 \
    --seed 7 -T i.arff -p p7.csv --probabilities_file q7.csv --draws 50
expect_same p1.csv p7.csv
expect_same q1.csv q7.csv

# Standard input and output.
tail -n +2 "$data/iris.csv" | symvi_bnn -m m1.bin -T /dev/stdin \
    -p /dev/stdout --draws 50 > p8.csv || fail "pipes"
expect_same p1.csv p8.csv
finish
