# Paper A's figures from the columns that paper_a writes: gnuplot -e "folder='build/paper-a'" plots.gp
# Each as SVG for pages and as PNG.
# SPDX-License-Identifier: Apache-2.0
set encoding utf8
set grid y lc rgb '#dddddd'
set border 3
set tics nomirror out
off = '#999999'; user = '#0072b2'; statics = '#56b4e9'; auto = '#d55e00'; prof = '#e69f00'
bars = folder.'/workloads.dat'
do for [type in 'svg png'] {
  if (type eq 'svg') { set terminal svg size 760,460 font 'sans-serif,13' noenhanced background rgb 'white' }
  else               { set terminal pngcairo size 1140,690 font 'sans-serif,17' noenhanced background rgb 'white' }
  out(name) = sprintf('%s/%s.%s', folder, name, type)
  set style data histograms
  set style histogram clustered gap 1
  set style fill solid border -1
  set boxwidth 0.9
  set xtics rotate by -30
  set key outside bottom center horizontal samplen 2
  set yrange [0:*]

  set output out('fig7')
  set title 'Figure 7: SIMT efficiency without and with the annotations'
  set ylabel 'SIMT efficiency, %'
  plot bars using 2:xtic(1) every ::1 lc rgb off title 'off', '' using 5 every ::1 lc rgb user title 'user'

  set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead dt 2 lc rgb '#444444'
  set output out('fig8')
  set title 'Figure 8: efficiency and speed over those without annotations'
  set ylabel 'times'
  plot bars using 6:xtic(1) every ::1 lc rgb statics title 'efficiency', '' using 7 every ::1 lc rgb user title 'speed-up'

  set output out('fig10')
  set title 'Figure 10: automatic placement beside the annotations, speed-up'
  plot bars using 7:xtic(1) every ::1 lc rgb user title 'user', '' using 13 every ::1 lc rgb auto title 'auto', \
       '' using 16 every ::1 lc rgb prof title 'auto with a profile'
  unset arrow 1

  set output out('fig9')
  set multiplot layout 1,2 title 'Figure 9: soft barriers'
  set style data linespoints
  set xtics norotate 0,4,32
  set xrange [0:33]; set y2range [0:*]
  set xlabel 'lanes that are enough' offset 0,0.5
  set ytics nomirror; set y2tics
  set ylabel 'SIMT efficiency, %'; set y2label 'speed-up'
  set key outside bottom center horizontal samplen 2
  do for [w in 'pathtracer xsbench'] {
    set title w
    data = sprintf('%s/fig9_%s.dat', folder, w)
    plot data using 1:2 every ::1 pt 7 lw 2 lc rgb user title 'efficiency', \
         data using 1:3 every ::1 axes x1y2 pt 5 lw 2 lc rgb auto title 'speed-up'
  }
  unset multiplot
  unset y2tics; unset y2label; unset xlabel; set xrange [*:*]; set xtics autofreq
}
set output
