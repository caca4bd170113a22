# Paper C's figures from the columns that paper_c writes: gnuplot -e "folder='build/paper-c'; core=1" plots.gp
# Every figure is drawn twice, as SVG for pages and as PNG.
# SPDX-License-Identifier: Apache-2.0
# core=1: the core was measured, too.
set datafile missing '?'
set encoding utf8
set key top left reverse Left samplen 2
set grid lc rgb '#dddddd'
set border 3
set tics nomirror out
set xrange [0:31]
set xtics 0,4,31
n_label = 'diverging threads n'
kepler = '#d55e00'; maxwell = '#cc79a7'; hopper = '#009e73'; stack = '#0072b2'; barriers = '#56b4e9'; dark = '#444444'

do for [type in 'svg png'] {
  if (type eq 'svg') { set terminal svg size 760,460 font 'sans-serif,13' background rgb 'white' }
  else               { set terminal pngcairo size 1140,690 font 'sans-serif,17' background rgb 'white' }
  out(name) = sprintf('%s/%s.%s', folder, name, type)

  do for [f in '1 2'] {
    set output out('fig'.f)
    set title (f eq '1' ? 'Figure 1: single loop' : 'Figure 2: double loop').', cycles from clock to clock'
    set xlabel n_label; set ylabel 'cycles'; set yrange [0:*]
    data = sprintf('%s/fig%s.dat', folder, f)
    set key outside bottom center horizontal maxrows 3
    plot data using 1:8 every ::1 with lines lw 1 lc rgb dark title 'Kepler, n = 0 plus 32 a divergence', \
         data using 1:2 every ::1 with points pt 7 ps 0.7 lc rgb kepler title 'profile kepler', \
         data using 1:3 every ::1 with points pt 5 ps 0.7 lc rgb maxwell title 'profile maxwell', \
         data using 1:5 every ::1 with lines lw 2 lc rgb hopper title 'H200, measured', \
         data using 1:4 every ::1 with points pt 6 ps 0.9 lc rgb hopper title 'profile hopper', \
         data using 1:6 every ::1 with linespoints pt 7 ps 0.6 lc rgb stack title 'our core, stack', \
         data using 1:7 every ::1 with linespoints pt 4 ps 0.6 lc rgb barriers title 'our core, barriers'
  }
  unset xrange; set xtics auto; set xrange [0:*]; set yrange [0:*]
  do for [f in '4 5'] {
    set output out('fig'.f)
    set title (f eq '4' ? 'Figure 4: single loop' : 'Figure 5: double loop').', tokens on the stack'
    set xlabel 'instructions executed'; set ylabel 'tokens'
    data = sprintf('%s/fig%s.dat', folder, f)
    set key outside bottom center horizontal
    set rmargin 11
    set arrow 1 from graph 0, first 16 to graph 1, first 16 nohead dt 2 lc rgb dark
    set label 1 '16 on chip' at graph 1.01, first 16 tc rgb dark
    columns = f eq '4' ? '5 4 3 2' : '5 3'
    plot for [c in columns] data using 1:(column(int(c))) with steps lw 1.5 title columnheader(int(c))
    unset arrow 1; unset label 1; unset rmargin
  }
  set xrange [0:31]; set xtics 0,4,31
  set key top left reverse Left inside
  set output out('fig6')
  set title "Figure 6: double loop, chunks spilled (the paper's additional branch instructions)"
  set xlabel n_label; set ylabel 'chunks of four tokens'
  data = folder.'/fig6.dat'
  plot data using 1:3 every ::1 with lines lw 2 lc rgb dark title 'emulator of Algorithms 1 and 2', \
       data using 1:2 every ::1 with points pt 7 lc rgb stack title 'ours'

  if (core) {
  data = folder.'/fig7.dat'
  set output out('fig7')
  set title "Figure 7: double loop on our core, and predicted from the single loop's costs"
  set ylabel 'cycles'; set yrange [*:*]
  set key bottom right
  plot data using 1:3 every ::1 with lines lw 2 lc rgb dark title 'emulator with costs of the single loop', \
       data using 1:2 every ::1 with points pt 7 lc rgb stack title 'our core, stack'
  set output out('fig8')
  set title 'Figure 8: measured minus predicted'; set yrange [*<-10:10<*]
  set key top left
  plot data using 1:4 every ::1 with impulses lw 4 lc rgb stack title 'our core, stack'
  }
  data = folder.'/split.dat'
  set output out('split')
  set title "Section IV-A: where a divergence's cost falls (Listing 5, thread 0, Kepler)"
  set ylabel 'cycles more than at n = 0'; set yrange [*:*]
  set key top left
  plot data using 1:3 every ::1 with linespoints pt 7 ps 0.6 lc rgb kepler title 'profile kepler, unwinding', \
       data using 1:2 every ::1 with linespoints pt 6 ps 0.6 lc rgb kepler title 'profile kepler, branches'
}
set output
