//! The linear algebra of a pool: small, dense, symmetric matrices.

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

    /// The lower triangular `L` with `L Lᵀ` = this matrix, which must be positive definite. A pivot that rounding has
    /// made too small is replaced by a tiny positive pivot instead of failing.
    pub(crate) fn cholesky(&self) -> Cholesky {
        let n = self.size;
        let mut lower = Matrix::zero(n);
        for i in 0..n {
            for j in 0..=i {
                let known: f64 = (0..j).map(|k| lower.at(i, k) * lower.at(j, k)).sum();
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
                for j in 0..n {
                    product.add(i, j, factor * other.at(k, j));
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
        for column in 0..n {
            let mut unit = vec![0.0; n];
            unit[column] = 1.0;
            for (row, value) in self.solve(&unit).into_iter().enumerate() {
                inverse.add(row, column, value);
            }
        }
        inverse
    }
}
