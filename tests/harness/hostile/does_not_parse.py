def double(number:
    return
