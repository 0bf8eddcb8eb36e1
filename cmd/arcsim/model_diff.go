package main

import (
	"github.com/spf13/cobra"

	"arcv2dsp/internal/cli"
	"arcv2dsp/internal/model"
	render "arcv2dsp/internal/report"
	"arcv2dsp/nn"
)

func newModelDiffCmd(s cli.Streams) *cobra.Command {
	var from, to string
	var inputs modelInputs
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "diff [flags] MODEL",
		Short: "Compare the two roundings of the library on a network",
		Long: `Run every operator of a network in two builds of the library on equal inputs, and the network end to end, and
print where the results differ. Requantizations round twice in the default build; single rounds once.`,
		Example: `  arcsim model diff kws.tflite
  arcsim model diff kws.tflite --input go.npy --rounding single --json`,
		RunE: func(cmd *cobra.Command, args []string) error {
			g, err := loadModel(args, from)
			if err != nil {
				return err
			}
			r, err := parseBuild(to)
			if err != nil {
				return err
			}
			steps, err := inputs.read(g)
			if err != nil {
				return err
			}
			in := make([]*nn.Tensor, len(steps))
			for i := range steps {
				in[i] = steps[i][0]
			}
			d, err := model.Diff(cmd.Context(), g, nn.GoldenExecutor{}, in, r)
			if err != nil {
				return modelFailed(err)
			}
			if asJSON {
				return render.JSON(s.Out, d)
			}
			return d.Text(s.Out)
		},
	}
	cmd.Flags().StringVar(&from, "from", nn.Double.String(), "`BUILD` that is compared with")
	cmd.Flags().StringVar(&to, "rounding", nn.Single.String(), "`BUILD` that is compared")
	inputs.flags(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the differences as JSON")
	return cmd
}
