Model status
Optimal

# Primal solution values
Feasible
Objective 4
# Columns -4
x_0_1_2 1 5
x_1_0_0 1 9
x_2_0_2 1 20
x_2_2_1 1 25
