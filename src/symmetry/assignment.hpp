/**
 * @file src/symmetry/assignment.hpp
 *
 * The best matching of rows to columns, with its duals.
 */
#ifndef SYMVI_SRC_SYMMETRY_ASSIGNMENT_HPP
#define SYMVI_SRC_SYMMETRY_ASSIGNMENT_HPP

#include <cstddef>
#include <limits>
#include <vector>

namespace symvi {

/**
 * The linear assignment problem, by shortest augmenting paths (the Hungarian
 * method, O(m^3)): find the permutation that maximizes sum_a C[a, match(a)],
 * and duals with
 *
 *   C[a,b] <= u_a + v_b,   equality where b = match(a).
 *
 * C may hold -infinity for pairs that must not be matched, as long as a
 * perfect matching exists.
 */
class Assignment
{
 public:
  //! Make room for problems of up to m rows, so that Solve() allocates nothing.
  void Reserve(const size_t m)
  {
    match.reserve(m);
    for (std::vector<size_t>* v : { &owner, &way })
      v->reserve(m + 1);
    for (std::vector<double>* v : { &u, &v0, &least })
      v->reserve(m + 1);
    for (std::vector<char>* v : { &done, &matched })
      v->reserve(m + 1);
  }

  /**
   * @param c The matrix, row-major.
   * @param m Number of rows and columns.
   * @return Whether a perfect matching exists.
   */
  bool Solve(const double* c, const size_t m)
  {
    const double far = std::numeric_limits<double>::infinity();
    // Row and column 0 are artificial: row a is a + 1 and column b is b + 1.
    u.assign(m + 1, 0.0);
    v0.assign(m + 1, 0.0);
    owner.assign(m + 1, 0);
    way.assign(m + 1, 0);
    // Rows whose own column is a maximum of the row are matched at once.
    for (size_t a = 0; a < m; ++a)
    {
      size_t best = a;
      for (size_t b = 0; b < m; ++b)
        if (c[a * m + b] > c[a * m + best])
          best = b;
      u[a + 1] = -c[a * m + best];
      if (owner[best + 1] == 0)
        owner[best + 1] = a + 1;
    }
    matched.assign(m + 1, 0);
    for (size_t b = 1; b <= m; ++b)
      matched[owner[b]] = 1;
    for (size_t a = 1; a <= m; ++a)
      if (!matched[a] && !Augment(c, m, a, far))
        return false;
    match.resize(m);
    for (size_t b = 1; b <= m; ++b)
      match[owner[b] - 1] = b - 1;
    return true;
  }

  //! The column matched to each row.
  const std::vector<size_t>& Match() const { return match; }

  //! u_a.
  double RowDual(const size_t a) const { return -u[a + 1]; }
  //! v_b.
  double ColumnDual(const size_t b) const { return -v0[b + 1]; }

 private:
  //! Match one more row along the cheapest path in reduced costs.
  bool Augment(const double* c, const size_t m, const size_t row,
      const double far)
  {
    owner[0] = row;
    size_t b0 = 0;
    least.assign(m + 1, far);
    done.assign(m + 1, 0);
    // Plain pointers, which compilers need not read again after every write.
    double* const rowDual = u.data();
    double* const columnDual = v0.data();
    double* const reached = least.data();
    size_t* const from = way.data();
    char* const seen = done.data();
    do
    {
      seen[b0] = 1;
      const size_t a0 = owner[b0];
      const double* const costs = c + (a0 - 1) * m;
      const double own = rowDual[a0];
      double delta = far;
      size_t b1 = 0;
      for (size_t b = 1; b <= m; ++b)
      {
        if (seen[b])
          continue;
        const double cost = -costs[b - 1] - own - columnDual[b];
        if (cost < reached[b])
        {
          reached[b] = cost;
          from[b] = b0;
        }
        if (reached[b] < delta)
        {
          delta = reached[b];
          b1 = b;
        }
      }
      if (!(delta < far))
        return false;
      for (size_t b = 0; b <= m; ++b)
        if (seen[b])
        {
          rowDual[owner[b]] += delta;
          columnDual[b] -= delta;
        }
        else
          reached[b] -= delta;
      b0 = b1;
    }
    while (owner[b0] != 0);
    for (; b0 != 0; b0 = way[b0])
      owner[b0] = owner[way[b0]];
    return true;
  }

  std::vector<size_t> match, owner, way;
  std::vector<double> u, v0, least;
  std::vector<char> done, matched;
};

} // namespace symvi

#endif
