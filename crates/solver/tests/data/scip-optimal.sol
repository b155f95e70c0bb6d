solution status: optimal solution found
objective value:                                    4
x_0_0_0                                             1 	(obj:1)
x_0_1_2                                             1 	(obj:1)
x_1_2_0                                             1 	(obj:1)
x_2_0_1                                             1 	(obj:1)
