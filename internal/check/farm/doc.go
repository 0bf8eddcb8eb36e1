// Package farm divides the work of a command among machines: the cases of a regression, the
// measurements of a sweep, networks on cores. A plan names the pieces of each shard. Shards run
// anywhere, by processes of this machine or as the job array of a Slurm cluster. Their results are
// merged into the result that one machine would give.
//
// It computes nothing itself: packages regress, bench and model do (work.go adapts them). The
// command prints the merged results.
//
// Start with Plan (plan.go) and Divide (divide.go). result.go has the files of results and their
// merge, run.go runs one shard, local.go runs many by processes, slurm.go submits them.
package farm
