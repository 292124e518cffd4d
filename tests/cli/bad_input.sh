# Every mistake: one sentence, exit code 1, no file touched.
. "$(dirname "$0")/common.sh"

# 40 points of two classes.
awk 'BEGIN { for (i = 0; i < 40; ++i) print i % 7 "," (i * 3) % 5 }' > x.csv
awk 'BEGIN { for (i = 0; i < 40; ++i) print (i % 7 > 3) ? "big" : "small" }' \
    > y.csv
awk 'BEGIN { for (i = 0; i < 40; ++i) print (i % 7) * 1.5 }' > r.csv
echo old | tee model.bin p.csv h.csv > old.txt
quick="--epochs 2 --hidden 3 --seed 1"
out="-M model.bin --history_file h.csv"
bnn="symvi_bnn $quick $out"
good="-t x.csv -l y.csv"

# Files.
expect_error "cannot read 'none.csv': No such file" $bnn -t none.csv -l y.csv
: > empty.csv
expect_error "'empty.csv' is empty" $bnn -t empty.csv -l y.csv
expect_error "'empty.csv' is empty" $bnn -t x.csv -l empty.csv
(head -20 x.csv; echo 1,2,3; tail -19 x.csv) > ragged.csv
expect_error "'ragged.csv', line 21: 2 columns expected.*but 3" \
    $bnn -t ragged.csv -l y.csv
sed '7s/.*/1,abc/' x.csv > text.csv
expect_error "'text.csv', line 7, column 2: 'abc' is not a number" \
    $bnn -t text.csv -l y.csv
sed '9s/.*/nan,1/' x.csv > nan.csv
expect_error "'nan.csv', line 9, column 1: 'nan'" $bnn -t nan.csv -l y.csv
sed '9s/.*/1,-inf/' x.csv > inf.csv
expect_error "'inf.csv', line 9, column 2: '-inf'" $bnn -t inf.csv -l y.csv
sed '3s/.*/1,/' x.csv > hole.csv
expect_error "'hole.csv', line 3, column 2: the field is empty" \
    $bnn -t hole.csv -l y.csv
sed '3s/.*/oops/' r.csv > badr.csv
expect_error "'badr.csv', line 3, column 1: 'oops'" $bnn -t x.csv -r badr.csv

# Numbers whose squares overflow.
sed 's/$/e200/' r.csv > huger.csv
expect_error "'huger.csv', line 2, column 1: .* out of range" $bnn -t x.csv -r huger.csv
sed '2s/.*/1e308,1/' x.csv > hugex.csv
expect_error "'hugex.csv', line 2, column 1: '1e308' is out of range" $bnn -t hugex.csv -l y.csv

# Numbers of points, classes.
head -39 y.csv > short.csv
expect_error "'x.csv' has 40 points, but 'short.csv' has 39" \
    $bnn -t x.csv -l short.csv
head -30 r.csv > shortr.csv
expect_error "'x.csv' has 40 points, but 'shortr.csv' has 30" \
    $bnn -t x.csv -r shortr.csv
sed 's/.*/same/' y.csv > one.csv
expect_error "'one.csv' holds only the class 'same'" $bnn -t x.csv -l one.csv

# Test set.
sed 's/$/,1,2/' x.csv > wide.csv
expect_error "'wide.csv' has 4 columns, but the model was trained on 2" \
    $bnn $good -T wide.csv -p p.csv
expect_ok symvi_bnn $quick $good -M good.mod
expect_error "'wide.csv' has 4 columns" symvi_bnn -m good.mod -T wide.csv \
    -p p.csv
sed '5s/.*/huge/' y.csv > unseen.csv
expect_error "'unseen.csv', point 5: label 'huge'" symvi_evaluate -m good.mod \
    -T x.csv -l unseen.csv
expect_error "label 'huge' does not occur" symvi_bnn -t x.csv -l unseen.csv \
    -m good.mod --epochs 1 $out

# Values of options.
expect_error "invalid value of --batch_size ('41')" $bnn $good -b 41
expect_error "invalid value of --permutations ('0')" $bnn $good -K 0
expect_error "invalid value of --samples ('0')" $bnn $good -S 0
expect_error "invalid value of --draws ('0')" $bnn $good -D 0
expect_error "invalid value of --step_size ('-0.1'): must be positive" \
    $bnn $good --step_size -0.1
expect_error "invalid value of --step_size ('x')" $bnn $good -s x
expect_error "invalid value of --epochs ('1.5'): must be a whole" \
    symvi_bnn $good -e 1.5
expect_error "invalid value of --hidden ('3,a')" symvi_bnn $good -H 3,a
expect_error "invalid value of --noise ('-1')" $bnn -t x.csv -r r.csv \
    --noise=-1
expect_error "invalid value of --method ('map'): must be 'sgm' or 'mfvi'" \
    $bnn $good --method map
expect_error "invalid value of --validation ('0.999')\|('1')" $bnn $good \
    --validation 1
expect_error "invalid value of --time_limit ('-1')" $bnn $good --time_limit -1
expect_error "invalid value of --seed ('-3')" symvi_bnn $good --seed -3
expect_error "unknown option '--epoch_number'" $bnn $good --epoch_number 3
expect_error "unknown option '--train'; did you mean '--training_file'?" \
    symvi_bnn --train x.csv
expect_error "did you mean '--step_size'?" $bnn $good --stepsize 1
expect_error "unexpected argument 'x.csv'" symvi_bnn x.csv

# Combinations.
expect_error "--training_file or --input_model_file is needed" symvi_bnn
expect_error "cannot be used together" $bnn -t x.csv -l y.csv -r r.csv
expect_error "training needs --labels_file or --responses_file" $bnn -t x.csv
expect_error "without --test_file" $bnn $good -p p.csv
expect_error "without --test_file" $bnn $good -L y.csv
expect_error "cannot be used for classification" $bnn $good -T x.csv -R r.csv
expect_error "without --training_file" symvi_bnn -m good.mod --epochs 3
expect_error "for regression" $bnn -t x.csv -r r.csv -T x.csv \
    --probabilities_file p.csv
expect_error "are the same file" symvi_bnn $quick $good -M p.csv \
    --history_file p.csv
expect_error "are the same file" symvi_bnn $quick $good -M x.csv
expect_error "required option --test_file is missing" symvi_evaluate -m good.mod
expect_error "--labels_file is needed" symvi_evaluate -m good.mod -T x.csv
expect_error "cannot be used for classification" symvi_evaluate -m good.mod \
    -T x.csv -r r.csv
expect_error "has no column 'z'" $bnn -t x.csv --task regression \
    --target_column z

# Model files.
expect_error "cannot read 'none.bin'" symvi_inspect -m none.bin
expect_error "'x.csv' is not a symvi model file" symvi_inspect -m x.csv
for length in 0 5 20 40 500; do
  head -c $length good.mod > cut.bin
  expect_error "'cut.bin' is" symvi_bnn -m cut.bin -T x.csv -p p.csv
done
head -c -1 good.mod > cut.bin
expect_error "'cut.bin' is truncated" symvi_inspect -m cut.bin
(head -c 300 good.mod; printf 'X'; tail -c +302 good.mod) > flip.bin
cmp -s flip.bin good.mod || expect_error "'flip.bin' is damaged" \
    symvi_inspect -m flip.bin
(echo "symvi model 99"; tail -n +2 good.mod) > newer.bin
expect_error "format version 99" symvi_inspect -m newer.bin
(echo "symvi model 1"; tail -n +2 good.mod) > older.bin
expect_error "format version 1, but this version of symvi reads" \
    symvi_inspect -m older.bin
echo '{}' > foreign.json
expect_error "'foreign.json' is not a symvi model" symvi_inspect -m foreign.json
expect_error "is not a symvi checkpoint file" $bnn $good --resume \
    --checkpoint_file good.mod

# Places that cannot be written, and full disks.
expect_error "cannot write 'no/model.bin': No such file or directory" \
    symvi_bnn $quick $good -M no/model.bin
expect_error "cannot write '.*': Is a directory" symvi_bnn $quick $good -M .
if [ "$(id -u)" -ne 0 ]; then
  mkdir locked && chmod a-w locked
  expect_error "cannot write 'locked/m.bin': Permission denied" \
      symvi_bnn $quick $good -M locked/m.bin
fi
if [ -c /dev/full ]; then
  expect_error "cannot write '/dev/full': No space left on device" \
      symvi_bnn $quick $good -M model.bin --history_file /dev/full
fi
if [ -c /dev/full ]; then
  symvi_evaluate -m good.mod -T x.csv -l y.csv --json > /dev/full 2> full.log &&
      fail "standard output that cannot be written is ignored"
  grep -q "cannot write to the standard output" full.log || fail "/dev/full"
  symvi_bnn --help > /dev/full 2> full.log && fail "--help that is not shown"
fi

# Training that diverges leaves the older model; so does too little memory.
cp good.mod kept.bin
expect_error "training diverged in epoch 1; try a smaller step" symvi_bnn \
    $quick -t x.csv -r r.csv --standardize none --step_size 1e9 -M kept.bin
# The least in which the program starts: OpenBLAS 0.3.29 maps its buffer before
# main(), and tries for ever.
limit=120000
little() { (ulimit -v $limit; exec timeout 20 "$@"); }
starts() { (ulimit -v $limit; timeout 2 symvi_bnn --version >/dev/null 2>&1); }
while [ $limit -lt 400000 ] && ! starts; do limit=$((limit + 20000)); done
# The address sanitizer takes terabytes for itself.
ldd "$programs/symvi_bnn" | grep -q libasan ||
    expect_error "not enough memory: training needs about" little symvi_bnn \
    $quick $good -M kept.bin

# Control characters do not reach the terminal.
expect_error "cannot read 'a\\\\x1b\[31mb'" $bnn -t $'a\x1b[31mb' -l y.csv

# Labels are quoted where they must be, and read back; lines may end with CR.
sed 's/^[^,]*$/"&, ""x"""/' y.csv | tr '\n' '\r' > quoted.csv
expect_ok symvi_bnn $quick -t x.csv -l quoted.csv -T x.csv -p p.csv -M q.bin
grep -qv '^"[^"]*, ""x"""$' p.csv && fail "labels are not quoted"
expect_ok symvi_evaluate -m q.bin -T x.csv -l p.csv --draws 10 --samples 2

limited() { (ulimit -f 1; exec "$@"); }
expect_error "cannot write 'model.bin': File too large" limited symvi_bnn \
    $good --epochs 1 --hidden 200 --seed 1 -M model.bin
finish
