print("racctl")
