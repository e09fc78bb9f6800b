"""Which English words say nothing about what a query is looking for?"""

# Articles and determiners, pronouns, prepositions, conjunctions, auxiliaries, adverbs of degree
# and the words of questions. Written in lower case as the analyser gives them, with what it leaves
# of contractions ("don't" is "don" and "t").
STOP_WORDS = tuple(
    """
    a an the this that these those some any each every all both either neither such same other
    another own no not nor none
    i me my mine myself we us our ours you your yours he him his she her hers it its itself they
    them their theirs one ones who whom whose which what
    about above after against along among around as at before below between beyond by down during
    for from in into of off on onto out over per since through throughout to toward under until up
    upon via with within without
    and but or if because while although though than so whether unless
    am is are was were be been being do does did doing done have has had having can could may might
    must shall should will would
    again also already ever here how just more most much many only quite rather still there then
    too very when where why yet
    t s don doesn didn isn aren wasn weren hasn haven hadn won wouldn couldn shouldn ll re ve
    """.split()
)
