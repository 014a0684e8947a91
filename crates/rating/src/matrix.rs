//! The linear algebra of a pool: dense, symmetric matrices. The inner loops go along rows, which lie together in memory.

/// A square matrix, row by row.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Matrix {
    size: usize,
    cells: Vec<f64>,
}

impl Matrix {
    pub(crate) fn zero(size: usize) -> Matrix {
        Matrix { size, cells: vec![0.0; size * size] }
    }

    pub(crate) fn at(&self, row: usize, column: usize) -> f64 {
        self.cells[row * self.size + column]
    }

    pub(crate) fn add(&mut self, row: usize, column: usize, value: f64) {
        self.cells[row * self.size + column] += value;
    }

    fn row(&self, row: usize) -> &[f64] {
        &self.cells[row * self.size..][..self.size]
    }

    /// Adds a multiple of a row to another one.
    fn add_row(&mut self, to: usize, factor: f64, from: usize) {
        let n = self.size;
        let [to, from] = self
            .cells
            .get_disjoint_mut([to * n..(to + 1) * n, from * n..(from + 1) * n])
            .expect("the rows are different");
        add_scaled(to, factor, from);
    }

    /// The lower triangular `L` with `L Lᵀ` = this matrix, which must be positive definite. A pivot that rounding has
    /// made too small is replaced by a tiny positive pivot instead of failing.
    pub(crate) fn cholesky(&self) -> Cholesky {
        let n = self.size;
        let mut lower = Matrix::zero(n);
        for i in 0..n {
            for j in 0..=i {
                let known = dot(&lower.row(i)[..j], &lower.row(j)[..j]);
                let rest = self.at(i, j) - known;
                let value = if i == j { rest.max(1e-12).sqrt() } else { rest / lower.at(j, j) };
                lower.add(i, j, value);
            }
        }
        Cholesky { lower }
    }

    pub(crate) fn times(&self, other: &Matrix) -> Matrix {
        let n = self.size;
        let mut product = Matrix::zero(n);
        for i in 0..n {
            for k in 0..n {
                let factor = self.at(i, k);
                if factor != 0.0 {
                    add_scaled(&mut product.cells[i * n..][..n], factor, other.row(k));
                }
            }
        }
        product
    }

    /// The covariance of the same variables minus their mean: every row and column sums to zero.
    pub(crate) fn centred(&self) -> Matrix {
        let n = self.size;
        let rows: Vec<f64> = (0..n).map(|i| (0..n).map(|j| self.at(i, j)).sum::<f64>() / n as f64).collect();
        let all = rows.iter().sum::<f64>() / n as f64;
        let mut centred = self.clone();
        for i in 0..n {
            for j in 0..n {
                centred.add(i, j, all - rows[i] - rows[j]);
            }
        }
        centred
    }
}

/// The sum of the products, as four sums that do not wait for each other.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let (a, a_rest) = a.as_chunks::<4>();
    let (b, b_rest) = b.as_chunks::<4>();
    let mut sums = [0.0; 4];
    for (a, b) in a.iter().zip(b) {
        for i in 0..4 {
            sums[i] += a[i] * b[i];
        }
    }
    let rest: f64 = a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum();
    sums.iter().sum::<f64>() + rest
}

/// Adds a multiple of a row to another one.
fn add_scaled(to: &mut [f64], factor: f64, from: &[f64]) {
    for (to, from) in to.iter_mut().zip(from) {
        *to += factor * from;
    }
}

/// A factorised matrix.
pub(crate) struct Cholesky {
    lower: Matrix,
}

impl Cholesky {
    pub(crate) fn solve(&self, right: &[f64]) -> Vec<f64> {
        let n = self.lower.size;
        let mut x = right.to_vec();
        for i in 0..n {
            let known: f64 = (0..i).map(|k| self.lower.at(i, k) * x[k]).sum();
            x[i] = (x[i] - known) / self.lower.at(i, i);
        }
        for i in (0..n).rev() {
            let known: f64 = (i + 1..n).map(|k| self.lower.at(k, i) * x[k]).sum();
            x[i] = (x[i] - known) / self.lower.at(i, i);
        }
        x
    }

    pub(crate) fn inverse(&self) -> Matrix {
        let n = self.lower.size;
        let mut inverse = Matrix::zero(n);
        for i in 0..n {
            inverse.add(i, i, 1.0);
        }
        let divide = |inverse: &mut Matrix, i: usize| {
            for cell in &mut inverse.cells[i * n..][..n] {
                *cell /= self.lower.at(i, i);
            }
        };
        for i in 0..n {
            for k in 0..i {
                inverse.add_row(i, -self.lower.at(i, k), k);
            }
            divide(&mut inverse, i);
        }
        for i in (0..n).rev() {
            for k in i + 1..n {
                inverse.add_row(i, -self.lower.at(k, i), k);
            }
            divide(&mut inverse, i);
        }
        inverse
    }
}
