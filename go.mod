module arcv2dsp

go 1.26
