# symvi::Pipeline and symvi_bnn read each other's files.
. "$(dirname "$0")/common.sh"

# Trained by the program, used in C++.
expect_ok symvi_bnn -t "$data/iris.csv" --task classification --hidden 6 \
    --epochs 20 --validation 0.2 --seed 7 -M m.bin -T "$data/iris.csv" -P q.csv
expect_ok "$all" m.bin "$data/iris.csv" copy.bin p.csv
expect_same m.bin copy.bin
expect_same q.csv p.csv

# The same training in C++ gives the same bytes, and the program reads them.
expect_ok "$all" "" "$data/iris.csv" trained.bin r.csv
expect_same m.bin trained.bin
expect_ok symvi_bnn -m trained.bin -T "$data/iris.csv" -P s.csv
expect_same r.csv s.csv
finish
