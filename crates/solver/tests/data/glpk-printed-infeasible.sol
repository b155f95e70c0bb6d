Problem:    
Rows:       110
Columns:    27 (27 integer, 27 binary)
Non-zeros:  294
Status:     INTEGER EMPTY
Objective:  obj = 0 (MINimum)

   No.   Row name        Activity     Lower bound   Upper bound
------ ------------    ------------- ------------- -------------
     1 line_0                      0                           1 
     2 line_1                      0                           1 
     3 line_2                      0                           1 
     4 line_3                      0                           1 
     5 line_4                      0                           1 
     6 line_5                      0                           1 
     7 line_6                      0                           1 
     8 line_7                      0                           1 
     9 line_8                      0                           1 
    10 line_9                      0                           1 
    11 line_10                     0                           1 
    12 line_11                     0                           1 
    13 line_12                     0                           1 
    14 line_13                     0                           1 
    15 line_14                     0                           1 
    16 line_15                     0                           1 
    17 line_16                     0                           1 
    18 line_17                     0                           1 
    19 line_18                     0                           1 
    20 line_19                     0                           1 
    21 line_20                     0                           1 
    22 line_21                     0                           1 
    23 line_22                     0                           1 
    24 line_23                     0                           1 
    25 line_24                     0                           1 
    26 line_25                     0                           1 
    27 line_26                     0                           1 
    28 line_27                     0                           1 
    29 line_28                     0                           1 
    30 line_29                     0                           1 
    31 line_30                     0                           1 
    32 line_31                     0                           1 
    33 line_32                     0                           1 
    34 line_33                     0                           1 
    35 line_34                     0                           1 
    36 line_35                     0                           1 
    37 line_36                     0                           1 
    38 line_37                     0                           1 
    39 line_38                     0                           1 
    40 line_39                     0                           1 
    41 line_40                     0                           1 
    42 line_41                     0                           1 
    43 line_42                     0                           1 
    44 line_43                     0                           1 
    45 line_44                     0                           1 
    46 line_45                     0                           1 
    47 line_46                     0                           1 
    48 line_47                     0                           1 
    49 line_48                     0                           1 
    50 line_49                     0                           1 
    51 line_50                     0                           1 
    52 line_51                     0                           1 
    53 line_52                     0                           1 
    54 line_53                     0                           1 
    55 line_54                     0                           1 
    56 line_55                     0                           1 
    57 line_56                     0                           1 
    58 line_57                     0                           1 
    59 line_58                     0                           1 
    60 line_59                     0                           1 
    61 line_60                     0                           1 
    62 line_61                     0                           1 
    63 line_62                     0                           1 
    64 line_63                     0                           1 
    65 line_64                     0                           1 
    66 line_65                     0                           1 
    67 line_66                     0                           1 
    68 line_67                     0                           1 
    69 line_68                     0                           1 
    70 line_69                     0                           1 
    71 line_70                     0                           1 
    72 line_71                     0                           1 
    73 line_72                     0                           1 
    74 line_73                     0                           1 
    75 line_74                     0                           1 
    76 line_75                     0                           1 
    77 line_76                     0                           1 
    78 line_77                     0                           1 
    79 line_78                     0                           1 
    80 line_79                     0                           1 
    81 line_80                     0                           1 
    82 line_81                     0                           1 
    83 line_82                     0                           1 
    84 line_83                     0                           1 
    85 line_84                     0                           1 
    86 line_85                     0                           1 
    87 line_86                     0                           1 
    88 line_87                     0                           1 
    89 line_88                     0                           1 
    90 line_89                     0                           1 
    91 line_90                     0                           1 
    92 line_91                     0                           1 
    93 line_92                     0                           1 
    94 line_93                     0                           1 
    95 line_94                     0                           1 
    96 line_95                     0                           1 
    97 line_96                     0                           1 
    98 line_97                     0                           1 
    99 line_98                     0                           1 
   100 line_99                     0                           1 
   101 line_100                    0                           1 
   102 line_101                    0                           1 
   103 line_102                    0                           1 
   104 line_103                    0                           1 
   105 line_104                    0                           1 
   106 line_105                    0                           1 
   107 line_106                    0                           1 
   108 line_107                    0                           1 
   109 line_108                    0                           1 
   110 size_0                      0             5               

   No. Column name       Activity     Lower bound   Upper bound
------ ------------    ------------- ------------- -------------
     1 x_0_0_0      *              0             0             1 
     2 x_0_0_1      *              0             0             1 
     3 x_0_0_2      *              0             0             1 
     4 x_0_1_0      *              0             0             1 
     5 x_0_1_1      *              0             0             1 
     6 x_0_1_2      *              0             0             1 
     7 x_0_2_0      *              0             0             1 
     8 x_0_2_1      *              0             0             1 
     9 x_0_2_2      *              0             0             1 
    10 x_1_0_0      *              0             0             1 
    11 x_1_0_1      *              0             0             1 
    12 x_1_0_2      *              0             0             1 
    13 x_1_1_0      *              0             0             1 
    14 x_1_1_1      *              0             0             1 
    15 x_1_1_2      *              0             0             1 
    16 x_1_2_0      *              0             0             1 
    17 x_1_2_1      *              0             0             1 
    18 x_1_2_2      *              0             0             1 
    19 x_2_0_0      *              0             0             1 
    20 x_2_0_1      *              0             0             1 
    21 x_2_0_2      *              0             0             1 
    22 x_2_1_0      *              0             0             1 
    23 x_2_1_1      *              0             0             1 
    24 x_2_1_2      *              0             0             1 
    25 x_2_2_0      *              0             0             1 
    26 x_2_2_1      *              0             0             1 
    27 x_2_2_2      *              0             0             1 

Integer feasibility conditions:

KKT.PE: max.abs.err = 0.00e+00 on row 0
        max.rel.err = 0.00e+00 on row 0
        High quality

KKT.PB: max.abs.err = 5.00e+00 on row 110
        max.rel.err = 8.33e-01 on row 110
        SOLUTION IS INFEASIBLE

End of output
