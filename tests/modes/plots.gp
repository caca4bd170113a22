# The comparison's two pictures, each as SVG and PNG: gnuplot -e "folder='build/modes'" plots.gp
# SPDX-License-Identifier: Apache-2.0
set encoding utf8
set grid lc rgb '#dddddd'
set border 3
set tics nomirror out
data = folder.'/modes.dat'
families = 'pattern random tests'
titles = '"patterns p_*" "random programs r*" "tests/kernels"'
colours = '#d55e00 #0072b2 #009e73'
sorted(f) = sprintf("< awk '$2 == \"%s\" { print $4 / $3, $6 / $5 }' %s | sort -n", f, data)
do for [type in 'svg png'] {
  if (type eq 'svg') { set terminal svg size 760,460 font 'sans-serif,13' noenhanced background rgb 'white' }
  else               { set terminal pngcairo size 1140,690 font 'sans-serif,17' noenhanced background rgb 'white' }
  set key top left reverse Left
  set output folder.'/cycles.'.type
  set title 'Cycles of a kernel: stack over barriers (below 1: the stack is faster)'
  set xlabel 'share of the kernels, in order of the ratio'; set ylabel 'cycles with the stack / with barriers'
  set xrange [0:100]; set yrange [*:*]; set format x '%g%%'; set logscale y 2; set ytics 2
  set arrow 1 from 0,1 to 100,1 nohead dt 2 lc rgb '#444444'
  stats_n(f) = int(system(sprintf("awk '$2 == \"%s\"' %s | wc -l", f, data)))
  plot for [i=1:3] sorted(word(families, i)) using (100.0 * ($0 + 0.5) / stats_n(word(families, i))):1 \
       with linespoints pt 7 ps 0.5 lw 1.5 lc rgb word(colours, i) title word(titles, i)
  unset arrow 1; unset logscale; set ytics autofreq
  set format x '%g'
  set output folder.'/efficiency.'.type
  set title 'SIMT efficiency of a kernel (active lanes of 32, over all warp instructions)'
  set xlabel 'with barriers, %'; set ylabel 'with the stack, %'
  set xrange [0:100]; set yrange [0:100]
  set key bottom right
  plot x with lines dt 2 lc rgb '#444444' title 'equal', \
       for [i=1:3] sprintf("< awk '$2 == \"%s\"' %s", word(families, i), data) using 7:8 \
       with points pt 7 ps 0.9 lc rgb word(colours, i) title word(titles, i)
}
set output
