"""From readings to explanations: debounced edges, what stands where, and which legal moves explain it.

what is seen    ``readings``: what a board of each kind sees; ``debounce``: edges that bounce; ``rhythm``: how often
                it scans, and ``looks``: the same where it sends only edges; ``trace``: all edges since the beginning;
                ``signs``: the edges that showed each move
what differs    ``difference``: from the position; ``showing``: the edges that show a move; ``unwatched``: play that
                nobody looked at
the search      ``question``: what is asked and answered; ``search``: the lines of moves; ``dropped``: drops in them;
                ``leftover``: what they leave unexplained; ``laid``: where captured pieces stand, and ``visited``: where
                a capturing one stood before; ``costs``: in nats; ``budget``: how much may be looked at
"""
