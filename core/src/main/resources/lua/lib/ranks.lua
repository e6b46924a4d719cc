-- role_ranks: the roles in the order of Role.java, from the lowest on; an account without one is a user.
local role_ranks = { user = 0, moderator = 1, admin = 2, owner = 3 }
