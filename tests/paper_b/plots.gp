# Paper B's figures from the columns that paper_b writes: gnuplot -e "folder='build/paper-b'" plots.gp
# SPDX-License-Identifier: Apache-2.0
set encoding utf8
set grid y lc rgb '#dddddd'
set border 3
set tics nomirror out
set terminal svg size 860,480 font 'sans-serif,12' noenhanced background rgb 'white'
time = '#0072b2'; weighted = '#e69f00'; scheduled = '#d55e00'; ours = '#009e73'; warps = '#999999'; branches = '#56b4e9'
# In a variable: in a block of braces '#' would begin a comment.
colours = '#56b4e9 #e69f00 #0072b2 #009e73'; orders = 'sorting greedy greedy-max best'
out(name) = sprintf('%s/%s.svg', folder, name)
saved = folder.'/saved_8.dat'
set style data histograms
set style histogram clustered gap 1
set style fill solid border -1
set boxwidth 0.9
set xtics rotate by -45
set key outside top center horizontal samplen 2
set ylabel 'saved, % of the original order'
# columns: 1 order, 2 memory-bound, 3 speed-up, 4 time, 5 weighted, 6 scheduled, 7 ours, 8 warps, 9 branches

set output out('fig7')
set title 'Figure 7: time, divergent warps and divergent branches (8 resident warps)'
plot saved using 4:xtic(1) every ::1 lc rgb time title 'time', '' using 8 every ::1 lc rgb warps title 'divergent warps', \
     '' using 9 every ::1 lc rgb branches title 'divergent branches'

do for [bound = 0:1] {
  set output out(bound ? 'fig10' : 'fig8')
  set title bound ? 'Figure 10: time and metrics, memory-bound' : 'Figure 8: time and metrics, compute-bound'
  rows = sprintf("< awk 'NR > 1 && $2 == %d' %s", bound, saved)
  plot rows using 4:xtic(1) lc rgb time title 'time', '' using 5 lc rgb weighted title 'BBV-weighted', \
       '' using 6 lc rgb scheduled title 'BBV-weighted-scheduled', '' using 7 lc rgb ours title 'ours'
}

set output out('fig9')
set multiplot layout 1,2 title 'Figure 9: speed-up'
set ylabel 'times'
set yrange [0:*]
set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead dt 2 lc rgb '#444444'
set key outside bottom center horizontal samplen 2
do for [half = 0:1] {
  set title half ? '8 resident warps' : '32 resident warps'
  plot for [k = 0:3] folder.'/speed.dat' using (column(2 + 4 * half + k)):xtic(1) every ::1 \
       lc rgb word(colours, k + 1) title word(orders, k + 1)
}
unset multiplot

set output out('h200')
set title 'An NVIDIA H200, 2^20 threads: speed-up'
plot for [k = 0:4] folder.'/h200.dat' using (column(2 + k)):xtic(1) every ::1 \
     lc rgb word(colours.' '.warps, k + 1) title word(orders.' nvcc', k + 1)

set output out('sigma')
set title 'nw, lengths spread log-normally: speed-up over sigma (on the model)'
set style data linespoints
set xtics norotate autofreq
set xlabel 'sigma'
set key inside top left vertical
plot for [k = 0:3] folder.'/sigma.dat' using 1:(column(2 + k)) every ::1 pt 7 lw 2 \
     lc rgb word(colours, k + 1) title word(orders, k + 1)
set output
