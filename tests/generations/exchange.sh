# Two builds with different generations of mlpack train the programs of users to
# the same L and L^G; each reads the models of the other and predicts the same.
#   usage: exchange.sh BUILD OTHER_BUILD SOURCE
set -eu
export LC_ALL=C
data=$3/tests/cli/data/iris.csv
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# program BUILD NAME: its path, or nothing.
program()
{
  [ ! -d "$1" ] || find "$1" -name "$2" -type f -perm -u+x | head -n 1
}

[ -n "$(program "$2" exchange_models)" ] ||
  { echo "SKIPPED: generations: nothing is built in $2"; exit 77; }
generation=$("$(program "$1" exchange_models)" version)
other=$("$(program "$2" exchange_models)" version)
[ "$generation" != "$other" ] ||
  { echo "SKIPPED: generations: both builds use mlpack $other"; exit 77; }

# same FILE FILE: numbers that agree but for rounding.
same()
{
  paste -d, "$1" "$2" | awk -F, '
    { for (i = 1; i <= NF / 2; ++i) {
        d = $i - $(i + NF / 2); n++; if (d > 1e-6 || d < -1e-6) bad++ } }
    END { exit !(n > 0 && bad == 0) }' ||
    { echo "FAILED: $1 and $2 differ"; exit 1; }
}

# exchange FROM TO: models of the library and of the programs.
exchange()
{
  mkdir "$work/models"
  "$(program "$1" exchange_models)" save "$work/models"
  "$(program "$2" exchange_models)" load "$work/models"
  writer=$(program "$1" symvi_bnn)
  reader=$(program "$2" symvi_bnn)
  if [ -n "$writer" ] && [ -n "$reader" ]; then
    for extension in bin json; do
      model=$work/models/iris.$extension
      "$writer" -t "$data" --task classification --hidden 6,5 --epochs 20 \
        --seed 3 -M "$model" >/dev/null
      for side in writer reader; do
        eval "\"\$$side\"" -m '"$model"' -T '"$data"' --seed 5 \
          --probabilities_file '"$work/models/$side.csv"' >/dev/null
      done
      same "$work/models/writer.csv" "$work/models/reader.csv"
    done
  fi
  rm -r "$work/models"
}

echo "mlpack $generation and $other train alike"
"$(program "$1" acceptance)" | tee "$work/ours.csv"
"$(program "$2" acceptance)" | tee "$work/theirs.csv"
same "$work/ours.csv" "$work/theirs.csv"

echo "mlpack $generation reads models of $other"
exchange "$2" "$1"
echo "mlpack $other reads models of $generation"
exchange "$1" "$2"
