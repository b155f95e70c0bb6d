* 3_3_all
* board 3^3, formulation all: Lines, cubes, stars, layers and subsolutions
* goal: optimise; problem: independent set
* line: at most one on every line, in every direction [definition; Kunt 2023,
* section 5]
* cube: at most one on the corners of every cube, with its centre when the edge
* is even [Kunt 2023, section 5]
* star: at most one on a centre and the squares at one distance from it along
* all axes [Kunt 2023, section 5, with the range s_i - h >= 1]
* layer: at most alpha(layer) on every axis-parallel layer, recursively [Kunt
* 2023, section 5]
* subsolution: at most alpha(m^d) on every subcube m^d [Kunt 2023, section 5]
* minimise the negated objective: the maximum is minus the minimum of this file
NAME          3_3_all
ROWS
 N  obj
 L  line_0
 L  line_1
 L  line_2
 L  line_3
 L  line_4
 L  line_5
 L  line_6
 L  line_7
 L  line_8
 L  line_9
 L  line_10
 L  line_11
 L  line_12
 L  line_13
 L  line_14
 L  line_15
 L  line_16
 L  line_17
 L  line_18
 L  line_19
 L  line_20
 L  line_21
 L  line_22
 L  line_23
 L  line_24
 L  line_25
 L  line_26
 L  line_27
 L  line_28
 L  line_29
 L  line_30
 L  line_31
 L  line_32
 L  line_33
 L  line_34
 L  line_35
 L  line_36
 L  line_37
 L  line_38
 L  line_39
 L  line_40
 L  line_41
 L  line_42
 L  line_43
 L  line_44
 L  line_45
 L  line_46
 L  line_47
 L  line_48
 L  line_49
 L  line_50
 L  line_51
 L  line_52
 L  line_53
 L  line_54
 L  line_55
 L  line_56
 L  line_57
 L  line_58
 L  line_59
 L  line_60
 L  line_61
 L  line_62
 L  line_63
 L  line_64
 L  line_65
 L  line_66
 L  line_67
 L  line_68
 L  line_69
 L  line_70
 L  line_71
 L  line_72
 L  line_73
 L  line_74
 L  line_75
 L  line_76
 L  line_77
 L  line_78
 L  line_79
 L  line_80
 L  line_81
 L  line_82
 L  line_83
 L  line_84
 L  line_85
 L  line_86
 L  line_87
 L  line_88
 L  line_89
 L  line_90
 L  line_91
 L  line_92
 L  line_93
 L  line_94
 L  line_95
 L  line_96
 L  line_97
 L  line_98
 L  line_99
 L  line_100
 L  line_101
 L  line_102
 L  line_103
 L  line_104
 L  line_105
 L  line_106
 L  line_107
 L  line_108
 L  cube_0
 L  cube_1
 L  cube_2
 L  cube_3
 L  cube_4
 L  cube_5
 L  cube_6
 L  cube_7
 L  cube_8
 L  star_0
 L  layer_0
 L  layer_1
 L  layer_2
 L  layer_3
 L  layer_4
 L  layer_5
 L  layer_6
 L  layer_7
 L  layer_8
 L  subsolution_0
 L  subsolution_1
 L  subsolution_2
 L  subsolution_3
 L  subsolution_4
 L  subsolution_5
 L  subsolution_6
 L  subsolution_7
COLUMNS
    MARKER    'MARKER'                 'INTORG'
    x_0_0_0   obj                 -1
    x_0_0_0   line_0               1
    x_0_0_0   line_18              1
    x_0_0_0   line_27              1
    x_0_0_0   line_68              1
    x_0_0_0   line_77              1
    x_0_0_0   line_93              1
    x_0_0_0   line_102             1
    x_0_0_0   cube_0               1
    x_0_0_0   cube_8               1
    x_0_0_0   layer_0              1
    x_0_0_0   layer_3              1
    x_0_0_0   layer_6              1
    x_0_0_0   subsolution_0             1
    x_0_0_1   obj                 -1
    x_0_0_1   line_0               1
    x_0_0_1   line_9               1
    x_0_0_1   line_19              1
    x_0_0_1   line_28              1
    x_0_0_1   line_59              1
    x_0_0_1   line_69              1
    x_0_0_1   line_78              1
    x_0_0_1   line_86              1
    x_0_0_1   line_94              1
    x_0_0_1   line_103             1
    x_0_0_1   cube_0               1
    x_0_0_1   cube_1               1
    x_0_0_1   layer_0              1
    x_0_0_1   layer_3              1
    x_0_0_1   layer_7              1
    x_0_0_1   subsolution_0             1
    x_0_0_1   subsolution_1             1
    x_0_0_2   obj                 -1
    x_0_0_2   line_0               1
    x_0_0_2   line_10              1
    x_0_0_2   line_20              1
    x_0_0_2   line_60              1
    x_0_0_2   line_70              1
    x_0_0_2   line_87              1
    x_0_0_2   line_95              1
    x_0_0_2   cube_1               1
    x_0_0_2   cube_8               1
    x_0_0_2   layer_0              1
    x_0_0_2   layer_3              1
    x_0_0_2   layer_8              1
    x_0_0_2   subsolution_1             1
    x_0_1_0   obj                 -1
    x_0_1_0   line_1               1
    x_0_1_0   line_9               1
    x_0_1_0   line_18              1
    x_0_1_0   line_29              1
    x_0_1_0   line_43              1
    x_0_1_0   line_52              1
    x_0_1_0   line_71              1
    x_0_1_0   line_79              1
    x_0_1_0   line_96              1
    x_0_1_0   line_104             1
    x_0_1_0   cube_0               1
    x_0_1_0   cube_2               1
    x_0_1_0   layer_0              1
    x_0_1_0   layer_4              1
    x_0_1_0   layer_6              1
    x_0_1_0   subsolution_0             1
    x_0_1_0   subsolution_2             1
    x_0_1_1   obj                 -1
    x_0_1_1   line_1               1
    x_0_1_1   line_10              1
    x_0_1_1   line_19              1
    x_0_1_1   line_27              1
    x_0_1_1   line_36              1
    x_0_1_1   line_44              1
    x_0_1_1   line_53              1
    x_0_1_1   line_61              1
    x_0_1_1   line_72              1
    x_0_1_1   line_80              1
    x_0_1_1   line_88              1
    x_0_1_1   line_97              1
    x_0_1_1   line_105             1
    x_0_1_1   cube_0               1
    x_0_1_1   cube_1               1
    x_0_1_1   cube_2               1
    x_0_1_1   cube_3               1
    x_0_1_1   star_0               1
    x_0_1_1   layer_0              1
    x_0_1_1   layer_4              1
    x_0_1_1   layer_7              1
    x_0_1_1   subsolution_0             1
    x_0_1_1   subsolution_1             1
    x_0_1_1   subsolution_2             1
    x_0_1_1   subsolution_3             1
    x_0_1_2   obj                 -1
    x_0_1_2   line_1               1
    x_0_1_2   line_11              1
    x_0_1_2   line_20              1
    x_0_1_2   line_28              1
    x_0_1_2   line_37              1
    x_0_1_2   line_45              1
    x_0_1_2   line_62              1
    x_0_1_2   line_73              1
    x_0_1_2   line_89              1
    x_0_1_2   line_98              1
    x_0_1_2   cube_1               1
    x_0_1_2   cube_3               1
    x_0_1_2   layer_0              1
    x_0_1_2   layer_4              1
    x_0_1_2   layer_8              1
    x_0_1_2   subsolution_1             1
    x_0_1_2   subsolution_3             1
    x_0_2_0   obj                 -1
    x_0_2_0   line_2               1
    x_0_2_0   line_10              1
    x_0_2_0   line_18              1
    x_0_2_0   line_46              1
    x_0_2_0   line_54              1
    x_0_2_0   line_74              1
    x_0_2_0   line_81              1
    x_0_2_0   cube_2               1
    x_0_2_0   cube_8               1
    x_0_2_0   layer_0              1
    x_0_2_0   layer_5              1
    x_0_2_0   layer_6              1
    x_0_2_0   subsolution_2             1
    x_0_2_1   obj                 -1
    x_0_2_1   line_2               1
    x_0_2_1   line_11              1
    x_0_2_1   line_19              1
    x_0_2_1   line_29              1
    x_0_2_1   line_38              1
    x_0_2_1   line_47              1
    x_0_2_1   line_55              1
    x_0_2_1   line_63              1
    x_0_2_1   line_75              1
    x_0_2_1   line_82              1
    x_0_2_1   cube_2               1
    x_0_2_1   cube_3               1
    x_0_2_1   layer_0              1
    x_0_2_1   layer_5              1
    x_0_2_1   layer_7              1
    x_0_2_1   subsolution_2             1
    x_0_2_1   subsolution_3             1
    x_0_2_2   obj                 -1
    x_0_2_2   line_2               1
    x_0_2_2   line_20              1
    x_0_2_2   line_27              1
    x_0_2_2   line_39              1
    x_0_2_2   line_48              1
    x_0_2_2   line_64              1
    x_0_2_2   line_76              1
    x_0_2_2   cube_3               1
    x_0_2_2   cube_8               1
    x_0_2_2   layer_0              1
    x_0_2_2   layer_5              1
    x_0_2_2   layer_8              1
    x_0_2_2   subsolution_3             1
    x_1_0_0   obj                 -1
    x_1_0_0   line_3               1
    x_1_0_0   line_21              1
    x_1_0_0   line_30              1
    x_1_0_0   line_36              1
    x_1_0_0   line_43              1
    x_1_0_0   line_59              1
    x_1_0_0   line_68              1
    x_1_0_0   line_83              1
    x_1_0_0   line_99              1
    x_1_0_0   line_106             1
    x_1_0_0   cube_0               1
    x_1_0_0   cube_4               1
    x_1_0_0   layer_1              1
    x_1_0_0   layer_3              1
    x_1_0_0   layer_6              1
    x_1_0_0   subsolution_0             1
    x_1_0_0   subsolution_4             1
    x_1_0_1   obj                 -1
    x_1_0_1   line_3               1
    x_1_0_1   line_12              1
    x_1_0_1   line_22              1
    x_1_0_1   line_31              1
    x_1_0_1   line_37              1
    x_1_0_1   line_44              1
    x_1_0_1   line_52              1
    x_1_0_1   line_60              1
    x_1_0_1   line_69              1
    x_1_0_1   line_77              1
    x_1_0_1   line_90              1
    x_1_0_1   line_100             1
    x_1_0_1   line_107             1
    x_1_0_1   cube_0               1
    x_1_0_1   cube_1               1
    x_1_0_1   cube_4               1
    x_1_0_1   cube_5               1
    x_1_0_1   star_0               1
    x_1_0_1   layer_1              1
    x_1_0_1   layer_3              1
    x_1_0_1   layer_7              1
    x_1_0_1   subsolution_0             1
    x_1_0_1   subsolution_1             1
    x_1_0_1   subsolution_4             1
    x_1_0_1   subsolution_5             1
    x_1_0_2   obj                 -1
    x_1_0_2   line_3               1
    x_1_0_2   line_13              1
    x_1_0_2   line_23              1
    x_1_0_2   line_45              1
    x_1_0_2   line_53              1
    x_1_0_2   line_65              1
    x_1_0_2   line_70              1
    x_1_0_2   line_78              1
    x_1_0_2   line_91              1
    x_1_0_2   line_101             1
    x_1_0_2   cube_1               1
    x_1_0_2   cube_5               1
    x_1_0_2   layer_1              1
    x_1_0_2   layer_3              1
    x_1_0_2   layer_8              1
    x_1_0_2   subsolution_1             1
    x_1_0_2   subsolution_5             1
    x_1_1_0   obj                 -1
    x_1_1_0   line_4               1
    x_1_1_0   line_12              1
    x_1_1_0   line_21              1
    x_1_1_0   line_32              1
    x_1_1_0   line_38              1
    x_1_1_0   line_46              1
    x_1_1_0   line_56              1
    x_1_1_0   line_61              1
    x_1_1_0   line_71              1
    x_1_1_0   line_84              1
    x_1_1_0   line_86              1
    x_1_1_0   line_93              1
    x_1_1_0   line_108             1
    x_1_1_0   cube_0               1
    x_1_1_0   cube_2               1
    x_1_1_0   cube_4               1
    x_1_1_0   cube_6               1
    x_1_1_0   star_0               1
    x_1_1_0   layer_1              1
    x_1_1_0   layer_4              1
    x_1_1_0   layer_6              1
    x_1_1_0   subsolution_0             1
    x_1_1_0   subsolution_2             1
    x_1_1_0   subsolution_4             1
    x_1_1_0   subsolution_6             1
    x_1_1_1   obj                 -1
    x_1_1_1   line_4               1
    x_1_1_1   line_13              1
    x_1_1_1   line_22              1
    x_1_1_1   line_30              1
    x_1_1_1   line_39              1
    x_1_1_1   line_47              1
    x_1_1_1   line_54              1
    x_1_1_1   line_62              1
    x_1_1_1   line_72              1
    x_1_1_1   line_79              1
    x_1_1_1   line_87              1
    x_1_1_1   line_94              1
    x_1_1_1   line_102             1
    x_1_1_1   cube_0               1
    x_1_1_1   cube_1               1
    x_1_1_1   cube_2               1
    x_1_1_1   cube_3               1
    x_1_1_1   cube_4               1
    x_1_1_1   cube_5               1
    x_1_1_1   cube_6               1
    x_1_1_1   cube_7               1
    x_1_1_1   cube_8               1
    x_1_1_1   star_0               1
    x_1_1_1   layer_1              1
    x_1_1_1   layer_4              1
    x_1_1_1   layer_7              1
    x_1_1_1   subsolution_0             1
    x_1_1_1   subsolution_1             1
    x_1_1_1   subsolution_2             1
    x_1_1_1   subsolution_3             1
    x_1_1_1   subsolution_4             1
    x_1_1_1   subsolution_5             1
    x_1_1_1   subsolution_6             1
    x_1_1_1   subsolution_7             1
    x_1_1_2   obj                 -1
    x_1_1_2   line_4               1
    x_1_1_2   line_14              1
    x_1_1_2   line_23              1
    x_1_1_2   line_31              1
    x_1_1_2   line_40              1
    x_1_1_2   line_48              1
    x_1_1_2   line_55              1
    x_1_1_2   line_66              1
    x_1_1_2   line_73              1
    x_1_1_2   line_80              1
    x_1_1_2   line_92              1
    x_1_1_2   line_95              1
    x_1_1_2   line_103             1
    x_1_1_2   cube_1               1
    x_1_1_2   cube_3               1
    x_1_1_2   cube_5               1
    x_1_1_2   cube_7               1
    x_1_1_2   star_0               1
    x_1_1_2   layer_1              1
    x_1_1_2   layer_4              1
    x_1_1_2   layer_8              1
    x_1_1_2   subsolution_1             1
    x_1_1_2   subsolution_3             1
    x_1_1_2   subsolution_5             1
    x_1_1_2   subsolution_7             1
    x_1_2_0   obj                 -1
    x_1_2_0   line_5               1
    x_1_2_0   line_13              1
    x_1_2_0   line_21              1
    x_1_2_0   line_49              1
    x_1_2_0   line_57              1
    x_1_2_0   line_63              1
    x_1_2_0   line_74              1
    x_1_2_0   line_85              1
    x_1_2_0   line_88              1
    x_1_2_0   line_96              1
    x_1_2_0   cube_2               1
    x_1_2_0   cube_6               1
    x_1_2_0   layer_1              1
    x_1_2_0   layer_5              1
    x_1_2_0   layer_6              1
    x_1_2_0   subsolution_2             1
    x_1_2_0   subsolution_6             1
    x_1_2_1   obj                 -1
    x_1_2_1   line_5               1
    x_1_2_1   line_14              1
    x_1_2_1   line_22              1
    x_1_2_1   line_32              1
    x_1_2_1   line_41              1
    x_1_2_1   line_50              1
    x_1_2_1   line_58              1
    x_1_2_1   line_64              1
    x_1_2_1   line_75              1
    x_1_2_1   line_81              1
    x_1_2_1   line_89              1
    x_1_2_1   line_97              1
    x_1_2_1   line_104             1
    x_1_2_1   cube_2               1
    x_1_2_1   cube_3               1
    x_1_2_1   cube_6               1
    x_1_2_1   cube_7               1
    x_1_2_1   star_0               1
    x_1_2_1   layer_1              1
    x_1_2_1   layer_5              1
    x_1_2_1   layer_7              1
    x_1_2_1   subsolution_2             1
    x_1_2_1   subsolution_3             1
    x_1_2_1   subsolution_6             1
    x_1_2_1   subsolution_7             1
    x_1_2_2   obj                 -1
    x_1_2_2   line_5               1
    x_1_2_2   line_23              1
    x_1_2_2   line_30              1
    x_1_2_2   line_42              1
    x_1_2_2   line_51              1
    x_1_2_2   line_67              1
    x_1_2_2   line_76              1
    x_1_2_2   line_82              1
    x_1_2_2   line_98              1
    x_1_2_2   line_105             1
    x_1_2_2   cube_3               1
    x_1_2_2   cube_7               1
    x_1_2_2   layer_1              1
    x_1_2_2   layer_5              1
    x_1_2_2   layer_8              1
    x_1_2_2   subsolution_3             1
    x_1_2_2   subsolution_7             1
    x_2_0_0   obj                 -1
    x_2_0_0   line_6               1
    x_2_0_0   line_24              1
    x_2_0_0   line_33              1
    x_2_0_0   line_39              1
    x_2_0_0   line_46              1
    x_2_0_0   line_60              1
    x_2_0_0   line_68              1
    x_2_0_0   cube_4               1
    x_2_0_0   cube_8               1
    x_2_0_0   layer_2              1
    x_2_0_0   layer_3              1
    x_2_0_0   layer_6              1
    x_2_0_0   subsolution_4             1
    x_2_0_1   obj                 -1
    x_2_0_1   line_6               1
    x_2_0_1   line_15              1
    x_2_0_1   line_25              1
    x_2_0_1   line_34              1
    x_2_0_1   line_40              1
    x_2_0_1   line_47              1
    x_2_0_1   line_56              1
    x_2_0_1   line_65              1
    x_2_0_1   line_69              1
    x_2_0_1   line_83              1
    x_2_0_1   cube_4               1
    x_2_0_1   cube_5               1
    x_2_0_1   layer_2              1
    x_2_0_1   layer_3              1
    x_2_0_1   layer_7              1
    x_2_0_1   subsolution_4             1
    x_2_0_1   subsolution_5             1
    x_2_0_2   obj                 -1
    x_2_0_2   line_6               1
    x_2_0_2   line_16              1
    x_2_0_2   line_26              1
    x_2_0_2   line_48              1
    x_2_0_2   line_54              1
    x_2_0_2   line_70              1
    x_2_0_2   line_77              1
    x_2_0_2   cube_5               1
    x_2_0_2   cube_8               1
    x_2_0_2   layer_2              1
    x_2_0_2   layer_3              1
    x_2_0_2   layer_8              1
    x_2_0_2   subsolution_5             1
    x_2_1_0   obj                 -1
    x_2_1_0   line_7               1
    x_2_1_0   line_15              1
    x_2_1_0   line_24              1
    x_2_1_0   line_35              1
    x_2_1_0   line_41              1
    x_2_1_0   line_49              1
    x_2_1_0   line_62              1
    x_2_1_0   line_71              1
    x_2_1_0   line_90              1
    x_2_1_0   line_99              1
    x_2_1_0   cube_4               1
    x_2_1_0   cube_6               1
    x_2_1_0   layer_2              1
    x_2_1_0   layer_4              1
    x_2_1_0   layer_6              1
    x_2_1_0   subsolution_4             1
    x_2_1_0   subsolution_6             1
    x_2_1_1   obj                 -1
    x_2_1_1   line_7               1
    x_2_1_1   line_16              1
    x_2_1_1   line_25              1
    x_2_1_1   line_33              1
    x_2_1_1   line_42              1
    x_2_1_1   line_50              1
    x_2_1_1   line_57              1
    x_2_1_1   line_66              1
    x_2_1_1   line_72              1
    x_2_1_1   line_84              1
    x_2_1_1   line_91              1
    x_2_1_1   line_100             1
    x_2_1_1   line_106             1
    x_2_1_1   cube_4               1
    x_2_1_1   cube_5               1
    x_2_1_1   cube_6               1
    x_2_1_1   cube_7               1
    x_2_1_1   star_0               1
    x_2_1_1   layer_2              1
    x_2_1_1   layer_4              1
    x_2_1_1   layer_7              1
    x_2_1_1   subsolution_4             1
    x_2_1_1   subsolution_5             1
    x_2_1_1   subsolution_6             1
    x_2_1_1   subsolution_7             1
    x_2_1_2   obj                 -1
    x_2_1_2   line_7               1
    x_2_1_2   line_17              1
    x_2_1_2   line_26              1
    x_2_1_2   line_34              1
    x_2_1_2   line_51              1
    x_2_1_2   line_58              1
    x_2_1_2   line_73              1
    x_2_1_2   line_79              1
    x_2_1_2   line_101             1
    x_2_1_2   line_107             1
    x_2_1_2   cube_5               1
    x_2_1_2   cube_7               1
    x_2_1_2   layer_2              1
    x_2_1_2   layer_4              1
    x_2_1_2   layer_8              1
    x_2_1_2   subsolution_5             1
    x_2_1_2   subsolution_7             1
    x_2_2_0   obj                 -1
    x_2_2_0   line_8               1
    x_2_2_0   line_16              1
    x_2_2_0   line_24              1
    x_2_2_0   line_64              1
    x_2_2_0   line_74              1
    x_2_2_0   line_87              1
    x_2_2_0   line_93              1
    x_2_2_0   cube_6               1
    x_2_2_0   cube_8               1
    x_2_2_0   layer_2              1
    x_2_2_0   layer_5              1
    x_2_2_0   layer_6              1
    x_2_2_0   subsolution_6             1
    x_2_2_1   obj                 -1
    x_2_2_1   line_8               1
    x_2_2_1   line_17              1
    x_2_2_1   line_25              1
    x_2_2_1   line_35              1
    x_2_2_1   line_67              1
    x_2_2_1   line_75              1
    x_2_2_1   line_85              1
    x_2_2_1   line_92              1
    x_2_2_1   line_94              1
    x_2_2_1   line_108             1
    x_2_2_1   cube_6               1
    x_2_2_1   cube_7               1
    x_2_2_1   layer_2              1
    x_2_2_1   layer_5              1
    x_2_2_1   layer_7              1
    x_2_2_1   subsolution_6             1
    x_2_2_1   subsolution_7             1
    x_2_2_2   obj                 -1
    x_2_2_2   line_8               1
    x_2_2_2   line_26              1
    x_2_2_2   line_33              1
    x_2_2_2   line_76              1
    x_2_2_2   line_81              1
    x_2_2_2   line_95              1
    x_2_2_2   line_102             1
    x_2_2_2   cube_7               1
    x_2_2_2   cube_8               1
    x_2_2_2   layer_2              1
    x_2_2_2   layer_5              1
    x_2_2_2   layer_8              1
    x_2_2_2   subsolution_7             1
    MARKER    'MARKER'                 'INTEND'
RHS
    RHS       line_0               1
    RHS       line_1               1
    RHS       line_2               1
    RHS       line_3               1
    RHS       line_4               1
    RHS       line_5               1
    RHS       line_6               1
    RHS       line_7               1
    RHS       line_8               1
    RHS       line_9               1
    RHS       line_10              1
    RHS       line_11              1
    RHS       line_12              1
    RHS       line_13              1
    RHS       line_14              1
    RHS       line_15              1
    RHS       line_16              1
    RHS       line_17              1
    RHS       line_18              1
    RHS       line_19              1
    RHS       line_20              1
    RHS       line_21              1
    RHS       line_22              1
    RHS       line_23              1
    RHS       line_24              1
    RHS       line_25              1
    RHS       line_26              1
    RHS       line_27              1
    RHS       line_28              1
    RHS       line_29              1
    RHS       line_30              1
    RHS       line_31              1
    RHS       line_32              1
    RHS       line_33              1
    RHS       line_34              1
    RHS       line_35              1
    RHS       line_36              1
    RHS       line_37              1
    RHS       line_38              1
    RHS       line_39              1
    RHS       line_40              1
    RHS       line_41              1
    RHS       line_42              1
    RHS       line_43              1
    RHS       line_44              1
    RHS       line_45              1
    RHS       line_46              1
    RHS       line_47              1
    RHS       line_48              1
    RHS       line_49              1
    RHS       line_50              1
    RHS       line_51              1
    RHS       line_52              1
    RHS       line_53              1
    RHS       line_54              1
    RHS       line_55              1
    RHS       line_56              1
    RHS       line_57              1
    RHS       line_58              1
    RHS       line_59              1
    RHS       line_60              1
    RHS       line_61              1
    RHS       line_62              1
    RHS       line_63              1
    RHS       line_64              1
    RHS       line_65              1
    RHS       line_66              1
    RHS       line_67              1
    RHS       line_68              1
    RHS       line_69              1
    RHS       line_70              1
    RHS       line_71              1
    RHS       line_72              1
    RHS       line_73              1
    RHS       line_74              1
    RHS       line_75              1
    RHS       line_76              1
    RHS       line_77              1
    RHS       line_78              1
    RHS       line_79              1
    RHS       line_80              1
    RHS       line_81              1
    RHS       line_82              1
    RHS       line_83              1
    RHS       line_84              1
    RHS       line_85              1
    RHS       line_86              1
    RHS       line_87              1
    RHS       line_88              1
    RHS       line_89              1
    RHS       line_90              1
    RHS       line_91              1
    RHS       line_92              1
    RHS       line_93              1
    RHS       line_94              1
    RHS       line_95              1
    RHS       line_96              1
    RHS       line_97              1
    RHS       line_98              1
    RHS       line_99              1
    RHS       line_100             1
    RHS       line_101             1
    RHS       line_102             1
    RHS       line_103             1
    RHS       line_104             1
    RHS       line_105             1
    RHS       line_106             1
    RHS       line_107             1
    RHS       line_108             1
    RHS       cube_0               1
    RHS       cube_1               1
    RHS       cube_2               1
    RHS       cube_3               1
    RHS       cube_4               1
    RHS       cube_5               1
    RHS       cube_6               1
    RHS       cube_7               1
    RHS       cube_8               1
    RHS       star_0               1
    RHS       layer_0              2
    RHS       layer_1              2
    RHS       layer_2              2
    RHS       layer_3              2
    RHS       layer_4              2
    RHS       layer_5              2
    RHS       layer_6              2
    RHS       layer_7              2
    RHS       layer_8              2
    RHS       subsolution_0             1
    RHS       subsolution_1             1
    RHS       subsolution_2             1
    RHS       subsolution_3             1
    RHS       subsolution_4             1
    RHS       subsolution_5             1
    RHS       subsolution_6             1
    RHS       subsolution_7             1
BOUNDS
 BV BND       x_0_0_0
 BV BND       x_0_0_1
 BV BND       x_0_0_2
 BV BND       x_0_1_0
 BV BND       x_0_1_1
 BV BND       x_0_1_2
 BV BND       x_0_2_0
 BV BND       x_0_2_1
 BV BND       x_0_2_2
 BV BND       x_1_0_0
 BV BND       x_1_0_1
 BV BND       x_1_0_2
 BV BND       x_1_1_0
 BV BND       x_1_1_1
 BV BND       x_1_1_2
 BV BND       x_1_2_0
 BV BND       x_1_2_1
 BV BND       x_1_2_2
 BV BND       x_2_0_0
 BV BND       x_2_0_1
 BV BND       x_2_0_2
 BV BND       x_2_1_0
 BV BND       x_2_1_1
 BV BND       x_2_1_2
 BV BND       x_2_2_0
 BV BND       x_2_2_1
 BV BND       x_2_2_2
ENDATA
