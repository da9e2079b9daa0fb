print("racd")
