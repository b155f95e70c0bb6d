Columns
    Index Status        Lower        Upper       Primal         Dual  Type        Name
        0                   0            1                            Integer     x_0_0_0
        1                   0            1                            Integer     x_0_0_1
        2                   0            1                            Integer     x_0_0_2
        3                   0            1                            Integer     x_0_1_0
        4                   0            1                            Integer     x_0_1_1
        5                   0            1                            Integer     x_0_1_2
        6                   0            1                            Integer     x_0_2_0
        7                   0            1                            Integer     x_0_2_1
        8                   0            1                            Integer     x_0_2_2
        9                   0            1                            Integer     x_1_0_0
       10                   0            1                            Integer     x_1_0_1
       11                   0            1                            Integer     x_1_0_2
       12                   0            1                            Integer     x_1_1_0
       13                   0            1                            Integer     x_1_1_1
       14                   0            1                            Integer     x_1_1_2
       15                   0            1                            Integer     x_1_2_0
       16                   0            1                            Integer     x_1_2_1
       17                   0            1                            Integer     x_1_2_2
       18                   0            1                            Integer     x_2_0_0
       19                   0            1                            Integer     x_2_0_1
       20                   0            1                            Integer     x_2_0_2
       21                   0            1                            Integer     x_2_1_0
       22                   0            1                            Integer     x_2_1_1
       23                   0            1                            Integer     x_2_1_2
       24                   0            1                            Integer     x_2_2_0
       25                   0            1                            Integer     x_2_2_1
       26                   0            1                            Integer     x_2_2_2
Rows
    Index Status        Lower        Upper       Primal         Dual  Name
        0                -inf            1                            line_0
        1                -inf            1                            line_1
        2                -inf            1                            line_2
        3                -inf            1                            line_3
        4                -inf            1                            line_4
        5                -inf            1                            line_5
        6                -inf            1                            line_6
        7                -inf            1                            line_7
        8                -inf            1                            line_8
        9                -inf            1                            line_9
       10                -inf            1                            line_10
       11                -inf            1                            line_11
       12                -inf            1                            line_12
       13                -inf            1                            line_13
       14                -inf            1                            line_14
       15                -inf            1                            line_15
       16                -inf            1                            line_16
       17                -inf            1                            line_17
       18                -inf            1                            line_18
       19                -inf            1                            line_19
       20                -inf            1                            line_20
       21                -inf            1                            line_21
       22                -inf            1                            line_22
       23                -inf            1                            line_23
       24                -inf            1                            line_24
       25                -inf            1                            line_25
       26                -inf            1                            line_26
       27                -inf            1                            line_27
       28                -inf            1                            line_28
       29                -inf            1                            line_29
       30                -inf            1                            line_30
       31                -inf            1                            line_31
       32                -inf            1                            line_32
       33                -inf            1                            line_33
       34                -inf            1                            line_34
       35                -inf            1                            line_35
       36                -inf            1                            line_36
       37                -inf            1                            line_37
       38                -inf            1                            line_38
       39                -inf            1                            line_39
       40                -inf            1                            line_40
       41                -inf            1                            line_41
       42                -inf            1                            line_42
       43                -inf            1                            line_43
       44                -inf            1                            line_44
       45                -inf            1                            line_45
       46                -inf            1                            line_46
       47                -inf            1                            line_47
       48                -inf            1                            line_48
       49                -inf            1                            line_49
       50                -inf            1                            line_50
       51                -inf            1                            line_51
       52                -inf            1                            line_52
       53                -inf            1                            line_53
       54                -inf            1                            line_54
       55                -inf            1                            line_55
       56                -inf            1                            line_56
       57                -inf            1                            line_57
       58                -inf            1                            line_58
       59                -inf            1                            line_59
       60                -inf            1                            line_60
       61                -inf            1                            line_61
       62                -inf            1                            line_62
       63                -inf            1                            line_63
       64                -inf            1                            line_64
       65                -inf            1                            line_65
       66                -inf            1                            line_66
       67                -inf            1                            line_67
       68                -inf            1                            line_68
       69                -inf            1                            line_69
       70                -inf            1                            line_70
       71                -inf            1                            line_71
       72                -inf            1                            line_72
       73                -inf            1                            line_73
       74                -inf            1                            line_74
       75                -inf            1                            line_75
       76                -inf            1                            line_76
       77                -inf            1                            line_77
       78                -inf            1                            line_78
       79                -inf            1                            line_79
       80                -inf            1                            line_80
       81                -inf            1                            line_81
       82                -inf            1                            line_82
       83                -inf            1                            line_83
       84                -inf            1                            line_84
       85                -inf            1                            line_85
       86                -inf            1                            line_86
       87                -inf            1                            line_87
       88                -inf            1                            line_88
       89                -inf            1                            line_89
       90                -inf            1                            line_90
       91                -inf            1                            line_91
       92                -inf            1                            line_92
       93                -inf            1                            line_93
       94                -inf            1                            line_94
       95                -inf            1                            line_95
       96                -inf            1                            line_96
       97                -inf            1                            line_97
       98                -inf            1                            line_98
       99                -inf            1                            line_99
      100                -inf            1                            line_100
      101                -inf            1                            line_101
      102                -inf            1                            line_102
      103                -inf            1                            line_103
      104                -inf            1                            line_104
      105                -inf            1                            line_105
      106                -inf            1                            line_106
      107                -inf            1                            line_107
      108                -inf            1                            line_108
      109                -inf            1                            cube_0
      110                -inf            1                            cube_1
      111                -inf            1                            cube_2
      112                -inf            1                            cube_3
      113                -inf            1                            cube_4
      114                -inf            1                            cube_5
      115                -inf            1                            cube_6
      116                -inf            1                            cube_7
      117                -inf            1                            cube_8
      118                   5          inf                            size_0

Model status: Infeasible

Objective value: inf
