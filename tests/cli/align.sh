# Weight samples of other tools: aligned, fitted, and refused.
. "$(dirname "$0")/common.sh"

# A network 2 - 3 - 1 in PyTorch's order: W_1 row by row, b_1, W_2, b_2.
# Units in the orders 1 2 3, 2 3 1 and 3 2 1; in the fourth sample, where 1 and
# 2 have changed their signs, 2 1 3.  Noise of 0.001 in one bias.
cat > tanh.csv <<END
w1,w2,w3,w4,w5,w6,b1,b2,b3,v1,v2,v3,c
1,-2,0.5,0.25,-3,1,0.5,-1,2,1.5,-0.5,0.75,0.25
0.5,0.25,-3,1,1,-2,-1,2,0.501,-0.5,0.75,1.5,0.25
-3,1,0.5,0.25,1,-2,2,-1,0.499,0.75,-0.5,1.5,0.25
-0.5,-0.25,-1,2,-3,1,1,-0.5,2,0.5,-1.5,0.75,0.25
END
network="--layers 2,3,1 --activation tanh --layout pytorch"
expect_ok symvi_align -i tanh.csv $network --reference 1 -o aligned.csv \
    --permutations_file g.csv --pairs_file pairs.csv --radius 0.1
for line in 'Samples  *4 in 1 chain, 13 weights each' \
    'Layers  *2 - 3 - 1, tanh' 'Group  *B_3, log|G| = 3.871 nats' \
    "Aligned  *to sample 1, reference's order" \
    'Transpositions  *largest 2, mean 1 between a sample and the first one' \
    'Changes of sign  *largest 2, mean 0.5' \
    'Equivalent modes  *4 visited of exp(3.871)' \
    'Modes  *1 (4 of 4 compared samples), within a distance of 0.1'; do
  grep -q "^$line$" stdout.log || fail "no line '$line' in $(cat stdout.log)"
done
cat > expected.csv <<END
layer1_unit1,layer1_unit2,layer1_unit3
1,2,3
2,3,1
3,2,1
-2,-1,3
END
expect_same expected.csv g.csv
cat > expected.csv <<END
1,-2,0.5,0.25,-3,1,0.5,-1,2,1.5,-0.5,0.75,0.25
1,-2,0.5,0.25,-3,1,0.501,-1,2,1.5,-0.5,0.75,0.25
1,-2,0.5,0.25,-3,1,0.499,-1,2,1.5,-0.5,0.75,0.25
1,-2,0.5,0.25,-3,1,0.5,-1,2,1.5,-0.5,0.75,0.25
END
expect_same expected.csv aligned.csv
[ "$(wc -l < pairs.csv)" -eq 7 ] || fail "six pairs"
grep -q '^2,3,.*,0.00[12][0-9]*,1,0$' pairs.csv || fail "pair 2, 3: $(cat pairs.csv)"

# To each other, in canonical order: unit 3 is the strongest, unit 2 the least,
# and all change their signs.
expect_ok symvi_align -i tanh.csv $network -o canonical.npy --threads 1 \
    --task regression --noise 0.1 -M model.bin
grep -q '^Aligned  *to each other in [0-9]* rounds, canonical order$' stdout.log ||
    fail "rounds"
expect_ok symvi_align -i canonical.npy $network --order reference -o again.csv
head -1 again.csv | grep -q '^3,-1,-1,2,-0.5,-0.25,-2,-0.5,1,-0.75,-1.5,0.5,0.25$' ||
    fail "canonical form: $(head -1 again.csv)"

# The fit is a model, and predicts what the network does.
expect_ok symvi_inspect -m model.bin
grep -q '^Group  *B_3, log|G| = 3.8712 nats$' stdout.log || fail "group of the model"
printf '0.3,-0.7\n-1,0.5\n' > x.csv
expect_ok symvi_bnn -m model.bin -T x.csv -p p.csv --seed 1
awk -F, 'function tanh(z) { return 1 - 2 / (exp(2 * z) + 1) }
  NR == FNR { f[FNR] = $1; next }
  { d = 1.5 * tanh($1 - 2 * $2 + 0.5) - f[FNR]
    d -= 0.5 * tanh(0.5 * $1 + 0.25 * $2 - 1)
    d += 0.75 * tanh(-3 * $1 + $2 + 2) + 0.25
    if (d * d > 1e-5) exit 1 }' p.csv x.csv ||
    fail "the model predicts something else: $(cat p.csv)"
# Training goes on from it.
printf '0.1\n0.2\n' > y.csv
expect_ok symvi_bnn -m model.bin -t x.csv -r y.csv --epochs 2 --seed 1 -M more.bin

# A reference in a file; and data, by which equivalent modes have a barrier.
head -2 tanh.csv > one.csv
expect_ok symvi_align -i canonical.npy $network --reference_file one.csv -o to_one.csv
expect_same aligned.csv to_one.csv
awk 'BEGIN { srand(1); for (i = 0; i < 30; ++i) print 2 * rand() - 1 "," 2 * rand() - 1 }' > points.csv
expect_ok symvi_bnn -m model.bin -T points.csv -p targets.csv --seed 1
expect_ok symvi_align -i tanh.csv $network -t points.csv -r targets.csv \
    --noise 0.1 --pairs_file pairs.csv
grep -q '^Modes  *1 (4 of 4 compared samples), which no barrier above 3 nats divides$' \
    stdout.log || fail "modes: $(cat stdout.log)"
head -1 pairs.csv | grep -q ',barrier_before,barrier$' || fail "header of pairs"
above "$(sed -n 2p pairs.csv | cut -d, -f7)" 10 "barrier as sampled"
below "$(sed -n 2p pairs.csv | cut -d, -f8)" 0.1 "barrier aligned"

# Chains, burn-in, thinning, other columns, Stan's file, float32.
{
  echo '# Stan'
  echo 'lp__,a,b,c,d,e,f,g'
  for i in 1 2 3 4 5 6 7 8; do echo "-$i,1,2,3,$i,5,6,7"; done
  echo '# Elapsed'
} > stan.csv
small="--layers 1,2,1 --activation relu --layout mlpack"
expect_ok symvi_align -i stan.csv,stan.csv $small --burn_in 2 --thin 2 -o s.txt
grep -q '^Samples  *6 in 2 chains, 7 weights each$' stdout.log || fail "chains"
grep -q '^R-hat' stdout.log && fail "R-hat of chains of three"
expect_ok symvi_align -i stan.csv $small --columns 1-7 --order reference
expect_error "has no columns 1 to 8 among its 7" symvi_align -i stan.csv $small \
    --columns 1-8
one='\0\0\200\077' two='\0\0\0\100' half='\0\0\0\077' minus='\0\0\200\277'
# array ORDER NUMBERS: two samples as an .npy file.
array()
{
  printf '\223NUMPY\1\0v\0'
  printf "%-117s\n" \
      "{'descr': '<f4', 'fortran_order': $1, 'shape': (2, 7), }"
  printf "$2"
}
array False "$one$two$half$minus$one$two$half$two$one$minus$half$two$one$half" \
    > c.npy
array True "$one$two$two$one$half$minus$minus$half$one$two$two$one$half$half" \
    > fortran.npy
cat > expected.csv <<END
1,2,0.5,-1,1,2,0.5
1,2,0.5,-1,1,2,0.5
END
for order in c fortran; do
  expect_ok symvi_align -i $order.npy $small -o float.csv --reference 1
  expect_same expected.csv float.csv
done

# Models and ONNX files are samples of one each.
expect_ok symvi_align -i model.bin,more.bin -o means.csv
grep -q '^Samples  *2 in 1 chain, 13 weights each$' stdout.log || fail "models"
if command -v symvi_onnx > onnx.log && [[ " $all " == *" symvi_onnx "* ]]; then
  expect_ok symvi_onnx -m model.bin --mode mean --double -o a.onnx
  expect_ok symvi_onnx -m more.bin --mode mean --double -o b.onnx
  expect_ok symvi_align -i a.onnx,b.onnx -o onnx.csv
  expect_same means.csv onnx.csv
  expect_error "'tanh.csv' is no network, as 'a.onnx' is" symvi_align \
      -i a.onnx,tanh.csv
  head -c 100 a.onnx > cut.onnx
  expect_error "cannot import 'cut.onnx': " symvi_align -i cut.onnx,b.onnx
fi
expect_ok symvi_bnn -t x.csv -r y.csv --hidden 4 --epochs 1 --seed 1 -M four.bin
expect_error "model 2 must be a network" symvi_align -i model.bin,four.bin
expect_error "cannot read 'none.bin'" symvi_align -i model.bin,none.bin
expect_error "cannot be used with networks" symvi_align -i model.bin,more.bin \
    --layers 2,3,1

# Mistakes.
align="symvi_align -i tanh.csv $network"
expect_error "required option --samples_file is missing" symvi_align
expect_error "--layout is needed" symvi_align -i tanh.csv --layers 2,3,1 -a tanh
expect_error "cannot read 'none.csv'" symvi_align -i none.csv $network
expect_error "cannot read 'none.npy'" symvi_align -i none.npy $network
expect_error "shape (4, 13).* no samples of a network 2 - 4 - 1" symvi_align \
    -i tanh.csv --layers 2,4,1 -a tanh --layout pytorch
expect_error "without biases" symvi_align -i tanh.csv --layers 12,1,1 \
    -a tanh --layout pytorch
sed '3s/2,/nan,/' tanh.csv > nan.csv
expect_error "'nan.csv', line 3, column .*nan'" symvi_align -i nan.csv $network
head -2 tanh.csv > one.csv
expect_error "at least two samples, but there is only 1" symvi_align -i one.csv \
    $network
expect_error "has no hidden layer" symvi_align -i tanh.csv --layers 12,1 \
    -a tanh --layout pytorch
expect_error "has no symmetry" symvi_align -i tanh.csv --layers 10,1,1 -a relu \
    --layout pytorch
head -c -8 canonical.npy > cut.npy
expect_error "'cut.npy' is truncated" symvi_align -i cut.npy $network
head -c 50 canonical.npy > cut.npy
expect_error "'cut.npy' is truncated" symvi_align -i cut.npy $network
sed "s/<f8/<i8/" canonical.npy > int.npy
expect_error "numbers of the type '<i8'; convert them to float32 or float64" \
    symvi_align -i int.npy $network
cp tanh.csv text.npy
expect_error "'text.npy' is not an .npy file" symvi_align -i text.npy $network
expect_error "'x.npz' is an archive" symvi_align -i x.npz $network
expect_error "invalid value of --layers ('2')" symvi_align -i tanh.csv \
    --layers 2 -a tanh --layout pytorch
expect_error "invalid value of --layers ('2,x,1')" symvi_align -i tanh.csv \
    --layers 2,x,1 -a tanh --layout pytorch
expect_error "invalid value of --layout ('torch')" symvi_align -i tanh.csv \
    --layers 2,3,1 -a tanh --layout torch
expect_error "invalid value of --columns ('5')" $align --columns 5
expect_error "invalid value of --reference ('5'): must be at most the number" \
    $align --reference 5
expect_error "none is left behind a burn-in of 4" $align --burn_in 4
expect_error "needs --task" $align -M x.bin
expect_error "a regression needs --noise" $align -M x.bin --task regression
expect_error "only one" $align -M x.bin --task classification
expect_error "without --training_file" $align --tolerance 2
expect_error "'y.csv' has 2\|'points.csv' has 30" $align -t points.csv -r y.csv \
    --noise 1
expect_error "'y.csv' has 1 columns, but the network has 2 inputs" $align \
    -t y.csv -r y.csv --noise 1
expect_error "are the same file" $align -o tanh.csv
expect_error "are the same file" symvi_align -i one.csv,tanh.csv $network \
    -o tanh.csv
expect_error "cannot write 'no/x.csv'" $align -o no/x.csv
finish
