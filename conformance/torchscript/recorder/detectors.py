"""Torchvision's detectors with small backbones, with the answers of PyTorch 1.13.

    TSGEN_OUT=out python3 detectors.py           (Debian's python3-torch and python3-torchvision)
    TSGEN_OUT=out python3 detectors.py whole     (as torchvision ships them: large, so not committed)

Weights are random, not trained. The scores of the small models are spread so that their order is unambiguous; the heads
of the whole models are scaled so that they find boxes. A recording of a whole model has PyTorch's answers in float32,
and also its answers in float64, for replay to judge by.
"""
import copy
import fnmatch
import sys

import torch
import torch.nn as nn
from torchvision.models import detection
from torchvision.models.detection.anchor_utils import AnchorGenerator, DefaultBoxGenerator
from torchvision.ops import MultiScaleRoIAlign

import tsgen

torch.manual_seed(11)
torch.set_num_threads(1)
CLASSES = 4
FOUND = 20  # as many boxes as a trained detector finds; the scores of hundreds would be too close for float32


class Backbone(nn.Module):
    """One feature map, an eighth of the size of the picture."""

    def __init__(self, channels):
        super().__init__()
        self.out_channels = channels
        self.body = nn.Sequential(
            nn.Conv2d(3, channels, 3, 4, 1), nn.BatchNorm2d(channels), nn.ReLU(),
            nn.Conv2d(channels, channels, 3, 2, 1), nn.ReLU())

    def forward(self, x):
        return self.body(x)


class Levels(nn.Module):
    """Two feature maps, as a pyramid returns them."""

    def __init__(self, channels):
        super().__init__()
        self.out_channels = channels
        self.fine = Backbone(channels)
        self.coarse = nn.Conv2d(channels, channels, 3, 2, 1)

    def forward(self, x):
        fine = self.fine(x)
        out: dict[str, torch.Tensor] = {"0": fine, "1": self.coarse(fine)}
        return out


def spread(model):
    """Makes the weights of the heads large enough to distinguish boxes and classes."""
    for name, p in model.named_parameters():
        if "backbone" not in name and p.dim() > 1:
            p.data = p.data + 0.7 * torch.randn_like(p) / p[0].numel() ** 0.5
    return model.eval()


def sizes(count):
    return dict(min_size=48, max_size=64, num_classes=count)


# The outputs of the last layers of the heads for a picture: their deviation, and the share that is above 0.
HEADS = {
    "rpn.head.cls_logits": (1, 0.5), "rpn.head.bbox_pred": (0.3, 0.5),
    "roi_heads.box_predictor.cls_score": (2, 0.5), "roi_heads.box_predictor.bbox_pred": (1, 0.5),
    "roi_heads.mask_predictor.mask_fcn_logits": (2, 0.5),
    "roi_heads.keypoint_predictor.kps_score_lowres": (2, 0.5),
    "head.classification_head.cls_logits": (0.3, 2e-4), "head.regression_head.bbox_reg": (0.3, 0.5),
    "head.regression_head.bbox_ctrness": (1, 0.5),
    "head.classification_head.module_list.*.1": (2, 0.5), "head.regression_head.module_list.*.1": (1, 0.5)}


def finding(model):
    """Scales the heads while a picture passes through, so that scores differ and some boxes are found."""
    kept = []

    def scale(layer, deviation, share):
        def hook(module, given, came):
            kept.pop(kept.index(handle)).remove()
            factor = deviation / came.std()
            module.weight.data *= factor
            shift = torch.quantile(came.flatten()[:2 ** 24] * factor, 1 - share)
            module.bias.data = module.bias.data * factor - shift
            return came * factor - shift
        handle = layer.register_forward_hook(hook)
        kept.append(handle)

    for name, layer in model.named_modules():
        for pattern, (deviation, share) in HEADS.items():
            if fnmatch.fnmatch(name, pattern):
                scale(layer, deviation, share)
    model.eval()
    for module in model.modules():
        if isinstance(module, nn.BatchNorm2d):  # otherwise activations vanish or grow before the heads
            module.train()
            module.momentum = None
    with torch.no_grad():
        found = model([picture(160, 160), picture(160, 160)])
    assert not kept, "a head was not called"
    print("found", [len(each["boxes"]) for each in found])
    return model.eval()


def anchors(levels):
    return AnchorGenerator(((8, 16), (24, 32))[:levels], ((0.5, 1.0, 2.0),) * levels)


def roi(size):
    return MultiScaleRoIAlign(["0"], output_size=size, sampling_ratio=2)


SMALL_ROI = dict(rpn_pre_nms_top_n_test=40, rpn_post_nms_top_n_test=12, box_detections_per_img=5)


def faster():
    return detection.FasterRCNN(
        Backbone(8), rpn_anchor_generator=anchors(1), box_roi_pool=roi(3),
        box_head=detection.faster_rcnn.TwoMLPHead(8 * 9, 16),
        box_predictor=detection.faster_rcnn.FastRCNNPredictor(16, CLASSES),
        **{**sizes(None), **SMALL_ROI})


def mask():
    return detection.MaskRCNN(
        Backbone(8), rpn_anchor_generator=anchors(1), box_roi_pool=roi(3), mask_roi_pool=roi(4),
        box_head=detection.faster_rcnn.TwoMLPHead(8 * 9, 16),
        box_predictor=detection.faster_rcnn.FastRCNNPredictor(16, CLASSES),
        mask_head=detection.mask_rcnn.MaskRCNNHeads(8, (8,), 1),
        mask_predictor=detection.mask_rcnn.MaskRCNNPredictor(8, 8, CLASSES),
        **{**sizes(None), **SMALL_ROI})


def keypoints():
    return detection.KeypointRCNN(
        Backbone(8), rpn_anchor_generator=anchors(1), box_roi_pool=roi(3), keypoint_roi_pool=roi(4),
        box_head=detection.faster_rcnn.TwoMLPHead(8 * 9, 16),
        box_predictor=detection.faster_rcnn.FastRCNNPredictor(16, 2),
        keypoint_head=detection.keypoint_rcnn.KeypointRCNNHeads(8, (8,)),
        keypoint_predictor=detection.keypoint_rcnn.KeypointRCNNPredictor(8, 5),
        **{**sizes(None), **SMALL_ROI})


def retina():
    return detection.RetinaNet(
        Levels(8), anchor_generator=anchors(2), topk_candidates=30, detections_per_img=6,
        **sizes(CLASSES))


def fcos():
    return detection.FCOS(
        Levels(32), anchor_generator=AnchorGenerator(((8,), (16,)), ((1.0,), (1.0,))),
        topk_candidates=30, detections_per_img=6, **sizes(CLASSES))


def ssd():
    return detection.ssd.SSD(
        Levels(8), DefaultBoxGenerator([[2], [2]], scales=[0.2, 0.5, 0.9]), (64, 64), CLASSES,
        head=detection.ssd.SSDHead([8, 8], [4, 4], CLASSES), topk_candidates=30,
        detections_per_img=6, score_thresh=0.05)


SMALL = dict(faster_rcnn=faster, mask_rcnn=mask, keypoint_rcnn=keypoints, retinanet=retina, fcos=fcos, ssd=ssd)
UNTRAINED = dict(weights=None, weights_backbone=None)
SIZES = dict(min_size=320, max_size=480)  # as these models are used on CPUs
WHOLE = dict(
    faster_rcnn=lambda: detection.fasterrcnn_mobilenet_v3_large_320_fpn(**UNTRAINED, box_detections_per_img=FOUND),
    mask_rcnn=lambda: detection.maskrcnn_resnet50_fpn(**UNTRAINED, **SIZES, box_detections_per_img=FOUND),
    retinanet=lambda: detection.retinanet_resnet50_fpn(**UNTRAINED, **SIZES, detections_per_img=FOUND),
    fcos=lambda: detection.fcos_resnet50_fpn(**UNTRAINED, **SIZES, detections_per_img=FOUND),
    ssdlite=lambda: detection.ssdlite320_mobilenet_v3_large(**UNTRAINED, detections_per_img=FOUND))


def picture(height, width):
    """Patches of colour: in noise, all places look alike and have the same scores."""
    return nn.functional.interpolate(torch.rand(1, 3, 5, 5), (height, width), mode="bicubic", align_corners=False)[0].clamp(0, 1)


def whole_model(name, build):
    model = finding(build())
    pictures = [picture(160, 164), picture(157, 160)]
    with torch.no_grad():
        exact = copy.deepcopy(model).double()([each.double() for each in pictures])
    tsgen.save("detector_" + name, torch.jit.script(model), [("forward", [pictures], {}, ({}, exact))], tags=("family",))


def small_model(name, build):
    model = torch.jit.script(spread(build()))
    side = 24
    calls = [("forward", [[torch.rand(3, side, side + 4), torch.rand(3, side - 3, side)]]),
             ("forward", [[torch.rand(3, side, side)]]),
             ("forward", [[torch.rand(side, side)]])]
    tsgen.save("detector_" + name, model, calls, tags=("family",))


def main(arguments):
    whole = "whole" in arguments
    only = set(arguments) - {"whole"}
    for name, build in (WHOLE if whole else SMALL).items():
        if not only or name in only:
            tsgen.guard(lambda: (whole_model if whole else small_model)(name, build))
    tsgen.finish()


main(sys.argv[1:])
