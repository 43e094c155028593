"""Hardware made of numbers: what the drivers talk to where there is none, and hands that play on it.

hands           ``hands``, each ``turn``, their ``habits``; ``games`` and ``matches`` to play; ``sight``: what is seen
contacts        ``contacts`` under the pieces; ``electrical``: a matrix, and ``miswired``; ``switches``
chips on buses  ``spi``, ``i2c``, ``gpiochip``; ``shift_registers``, ``expanders``, ``multiplexers``, ``hall_sensors``
boards on ports ``terminal`` and ``pieces``, on which ``dgt``, ``chesslink``, ``certabo``, ``line`` stand; ``chessnut``
                ``dgt_bus``: several boards on a line
what is lit     ``leds``, ``segments``, ``strip``
"""
