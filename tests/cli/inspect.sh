# What symvi_inspect shows, and pruning.
. "$(dirname "$0")/common.sh"

expect_ok symvi_bnn -t "$data/iris.csv" --task classification --hidden 20 \
    --epochs 60 --seed 3 -M m.bin
expect_ok symvi_inspect -m m.bin
cp stdout.log m.log
grep -q '^Layers  *4 - 20 - 3, relu$' m.log || fail "layers"
grep -q '^Classes  *3: 0, 1, 2$' m.log || fail "classes"
grep -q '^Group  *S_20, log|G| = 42.3356 nats$' m.log || fail "group"
grep -q '^Weights  *163 with a posterior, 326 trained parameters$' m.log ||
    fail "weights"
grep -q '^Nearest mode  *swap units [0-9]* and [0-9]* of hidden layer 1' m.log ||
    fail "nearest mode"
grep -q '^Prior  *N(0, 1^2) for the weights of layer 1, N(0, 1^2) for its biases$' \
    m.log || fail "prior of the first layer"
grep -q '^  *N(0, 0.8944^2) for the weights of layer 2' m.log ||
    fail "prior of the last layer"
# Ten units, the clearest first.
awk '/signal\/noise/ { on = 1; next } on { print $2 }' m.log > ratios
[ "$(wc -l < ratios)" -eq 10 ] || fail "ten units"
sort -rg ratios | cmp -s - ratios || fail "units are not ranked"

# Half of the units go; what is left predicts nearly as well.
expect_ok symvi_inspect -m m.bin --prune 0.5 -M half.bin
grep -q '^Pruned  *10 of 20 units$' stdout.log || fail "pruned units"
expect_ok symvi_inspect -m half.bin
grep -q '^Layers  *4 - 10 - 3, relu$' stdout.log || fail "pruned layers"
symvi_evaluate -m half.bin -T "$data/iris.csv" --json > half.json ||
    fail "a pruned model cannot be evaluated"
above "$(json accuracy < half.json)" 0.8 "accuracy after pruning units"

expect_ok symvi_inspect -m m.bin --prune 0.5 --prune_by weights -M zero.bin
grep -q '^Pruned  *70 of 140 weights$' stdout.log || fail "pruned weights"
symvi_evaluate -m zero.bin -T "$data/iris.csv" --json > zero.json
above "$(json accuracy < zero.json)" 0.8 "accuracy after pruning weights"

# Training goes on from a pruned model.
expect_ok symvi_bnn -m half.bin -t "$data/iris.csv" --task classification \
    --epochs 10 --seed 1 -M more.bin
expect_ok symvi_inspect -m more.bin
grep -q '70 epochs' stdout.log || fail "the history is not continued"
expect_error "--prune needs --output_model_file" symvi_inspect -m m.bin \
    --prune 0.5
expect_error "invalid value of --prune ('1')" symvi_inspect -m m.bin --prune 1 \
    -M x.bin
finish

# Given and learned priors, and a weight of the KL divergence.
expect_ok symvi_bnn -t "$data/iris.csv" --task classification --hidden 5 \
    --epochs 30 --seed 3 --prior_stddev 0.5 --kl_weight 1 -M given.bin
expect_ok symvi_inspect -m given.bin
grep -q '^Prior  *N(0, 0.5^2) for every weight$' stdout.log || fail "given prior"
expect_ok symvi_bnn -t "$data/iris.csv" --task classification --hidden 5 \
    --epochs 30 --seed 3 --learn_prior -M learned.bin
expect_ok symvi_inspect -m learned.bin
grep -q '^Prior  *N(0, [0-9.]*^2) for the weights of layer 1, N(0, [0-9.]*^2)' \
    stdout.log || fail "learned prior"
grep -q 'N(0, 1^2)' stdout.log && fail "nothing was learned"
expect_error "kl_weight" symvi_bnn -t "$data/iris.csv" --task classification \
    --kl_weight -1 -M bad.bin
